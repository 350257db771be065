/**
 * Calls about one's own keys (docs/crypto.md, Retired keys): new ones in place of those that are in use, what is still
 * wrapped for the old ones, and their end. Ours; no section of the specification.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { base64Bytes, id, wholeNumber } from '../core/fields.ts';
import { QUERY_COUNT_MAX, RETIRED_KEYS_MAX } from '../core/limits.ts';
import { loginHash, mainKey, user } from '../core/user.ts';
import { factorProof } from './factor-proof.ts';

const keyId = base64Bytes(20);

/** Keys that are handed over; in the user they need no second look. */
const retiredKey = z.object({
  key_id: keyId,
  generation: z.number().int().min(1).max(1_000_000),
  sealed: base64Bytes(12 + 64 + 32 + 32 + 16),
});

/** Keys that were replaced, and how much still needs them. */
const retiredState = z.object({
  key_id: keyId,
  retired_at: z.string(),
  /** Mails that were there when they were replaced. */
  mails: z.number(),
  /** Mails and records that these keys alone open. */
  waiting: z.number(),
  /** When they can be destroyed at the earliest: what was on its way to them has arrived by then. */
  destroyable_at: z.string(),
  /** Their end has begun: the second factor was proved for it and is not asked for again. */
  is_ending: z.boolean(),
});
export type RetiredState = z.infer<typeof retiredState>;

/** How the key of a mail is wrapped that the keys in use do not open. */
const oldWrap = z.object({
  id,
  binding: base64Bytes(32),
  ciphertext: z.string().nullable(),
  encrypted_key: z.string().nullable(),
  dh_public: z.string().nullable(),
  salt: z.string().nullable(),
  key_used: z.string().nullable(),
});
export type OldWrap = z.infer<typeof oldWrap>;

export const keyRotationCalls = {
  rotate: defineCall({
    method: 'POST',
    path: '/user/own_keys/rotate',
    access: 'user',
    about:
      'Puts new keys in place of those of `from` at once: all addresses have them, the key log tells, other sessions and the recovery kit end. `retired` holds all keys that were in use before, sealed for the new ones. 403 for a wrong password or second factor, 409 when other keys are in use by now, 422 for keys that cannot be used, and when as many old ones are kept as can be.',
    input: z.object({
      password: loginHash,
      ...factorProof,
      from: keyId,
      main_key: mainKey,
      retired: z
        .array(retiredKey)
        .min(1)
        .max(RETIRED_KEYS_MAX + 1),
    }),
    output: dataOf(user),
    timeoutMs: 60_000,
  }),
  retired: defineCall({
    method: 'GET',
    path: '/user/own_keys/retired',
    access: 'user',
    about: 'The keys that were replaced, newest first, and how much still needs each.',
    input: z.object({}),
    output: dataOf(z.array(retiredState)),
    timeoutMs: 30_000,
  }),
  wraps: defineCall({
    method: 'GET',
    path: '/user/own_keys/wraps',
    access: 'user',
    about: 'Wraps of mails that the keys in use do not open, by id; `after` continues after one.',
    input: z.object({
      count: wholeNumber(1, QUERY_COUNT_MAX).default(QUERY_COUNT_MAX),
      after: id.optional(),
    }),
    output: dataOf(z.array(oldWrap)),
    timeoutMs: 30_000,
  }),
  destroy: defineCall({
    method: 'POST',
    path: '/user/own_keys/destroy',
    access: 'user',
    about:
      'Forgets keys that were replaced, and what senders wrapped for them: some mails at a time, and the keys when `remaining` is 0. The second factor is proved by the first request alone. 409 while they may still be needed, 403 for a wrong password or second factor.',
    input: z.object({ key_id: keyId, password: loginHash, ...factorProof }),
    output: dataOf(z.object({ remaining: z.number() })),
    timeoutMs: 60_000,
  }),
} as const;
