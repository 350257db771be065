/**
 * Calls about the user's own keys (docs/crypto.md, Retired keys): replacing the current keys,
 * listing data still wrapped for the old ones, and destroying the old ones. A Keyfold extension,
 * not in the specification.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { base64Bytes, id, wholeNumber } from '../core/fields.ts';
import { QUERY_COUNT_MAX, RETIRED_KEYS_MAX } from '../core/limits.ts';
import { loginHash, mainKey, user } from '../core/user.ts';
import { factorProof } from './factor-proof.ts';

const keyId = base64Bytes(20);

/** Keys submitted by the client; they need no second validation as part of the user. */
const retiredKey = z.object({
  key_id: keyId,
  generation: z.number().int().min(1).max(1_000_000),
  sealed: base64Bytes(12 + 64 + 32 + 32 + 16),
});

/** Retired keys and how much data still needs them. */
const retiredState = z.object({
  key_id: keyId,
  retired_at: z.string(),
  /** Messages that existed when the keys were replaced. */
  mails: z.number(),
  /** Messages and records that only these keys open. */
  waiting: z.number(),
  /**
   * Earliest time at which they can be destroyed; mail already on its way to them has arrived by
   * then.
   */
  destroyable_at: z.string(),
  /**
   * Their destruction has begun: the second factor was verified for it and is not requested again.
   */
  is_ending: z.boolean(),
});
export type RetiredState = z.infer<typeof retiredState>;

/** Wrapped key of a message that the current keys do not open. */
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
      'Replaces the keys `from` with new keys at once, for all addresses. The key log records the change, other sessions end, and the recovery kit is deleted. `retired` contains all earlier keys, encrypted with the new keys. 403 for a wrong password or second factor, 409 if different keys are in use by now, 422 for unusable keys or too many retired keys.',
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
    about: 'The replaced keys, newest first, and how much data still needs each of them.',
    input: z.object({}),
    output: dataOf(z.array(retiredState)),
    timeoutMs: 30_000,
  }),
  wraps: defineCall({
    method: 'GET',
    path: '/user/own_keys/wraps',
    access: 'user',
    about:
      'Wrapped message keys that the current keys cannot open, by message ID. `after` continues after an ID.',
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
      'Deletes replaced keys and the message keys wrapped for them: some messages per request, and the replaced keys once `remaining` is 0. Only the first request proves the second factor. 409 while the keys may still be needed, 403 for a wrong password or second factor.',
    input: z.object({ key_id: keyId, password: loginHash, ...factorProof }),
    output: dataOf(z.object({ remaining: z.number() })),
    timeoutMs: 60_000,
  }),
} as const;
