/**
 * Calls about the caller's own account (docs/spec-map.md 7, docs/api-conventions.md#account): name,
 * password, sessions, recovery kit, storage, deletion.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { flag, id, plainText } from '../core/fields.ts';
import { NAME_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { loginHash, mainKey, recoveryKit } from '../core/user.ts';
import { factorProof } from './factor-proof.ts';

/** The browser and the operating system that a User-Agent names; null if unknown. */
const device = z.object({ browser: z.string().nullable(), system: z.string().nullable() });

const session = z.object({
  id,
  device,
  /** Where the session was last used: an IPv4 address, or the /64 network of an IPv6 address. */
  address: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  /** When the session ends, regardless of use. */
  ends_at: z.string(),
  /** Whether the device stays signed in. */
  kept: z.boolean(),
  /** Whether the session belongs to a phone with biometric sign-in. */
  biometric: z.boolean(),
  current: z.boolean(),
});
export type OwnSession = z.infer<typeof session>;

export const LOGIN_OUTCOMES = ['signed_in', 'wrong_password', 'wrong_code', 'recovered'] as const;

const login = z.object({
  id,
  at: z.string(),
  outcome: z.enum(LOGIN_OUTCOMES),
  device,
  address: z.string(),
});
export type LoginRecord = z.infer<typeof login>;

export const accountCalls = {
  change_name: defineCall({
    method: 'POST',
    path: '/user/change_name',
    access: 'user',
    about: 'Changes the display name of the caller.',
    input: z.object({ name: plainText(NAME_MAX_CHARACTERS).min(1) }),
    output: dataOf(z.object({ name: z.string() })),
    isRepeatable: true,
  }),
  change_password: defineCall({
    method: 'POST',
    path: '/user/change_password',
    access: 'user',
    about:
      'Replaces the login hash and the encrypted copies of the same keys at once. All other sessions and trusted devices end. 403 for a wrong password or second factor, 422 for different keys.',
    input: z.object({
      old_password: loginHash,
      new_password: loginHash,
      ...factorProof,
      main_key: mainKey,
    }),
    output: nothing,
    timeoutMs: 30_000,
  }),
  sessions: defineCall({
    method: 'GET',
    path: '/user/sessions',
    access: 'user',
    about: 'Active sessions of the caller, and devices that stay signed in, the current one first.',
    input: z.object({}),
    output: dataOf(rowsOf(session)),
  }),
  end_session: defineCall({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'user',
    about: 'Ends a session and removes its trusted device.',
    input: z.object({ id }),
    output: nothing,
  }),
  end_other_sessions: defineCall({
    method: 'POST',
    path: '/user/sessions/end_others',
    access: 'user',
    about: 'Ends all sessions and trusted devices except the current one. Returns how many there were.',
    input: z.object({}),
    output: dataOf(z.object({ ended: z.number() })),
  }),
  logins: defineCall({
    method: 'GET',
    path: '/user/logins',
    access: 'user',
    about: 'Sign-ins of the last 90 days, including refused ones, newest first; at most 200.',
    input: z.object({}),
    output: dataOf(rowsOf(login)),
  }),
  storage: defineCall({
    method: 'GET',
    path: '/user/storage',
    access: 'user',
    about:
      'Storage use in bytes, by kind: mail, files, spam and deleted mail, drafts. The search index has its own limit.',
    input: z.object({}),
    output: dataOf(
      z.object({
        limit: z.number(),
        used: z.number(),
        mail: z.number(),
        attachments: z.number(),
        spam_and_deleted: z.number(),
        drafts: z.number(),
        search_index: z.number(),
      }),
    ),
  }),
  save_recovery: defineCall({
    method: 'PUT',
    path: '/user/recovery',
    access: 'user',
    about:
      'Stores a recovery kit: the same keys encrypted with a phrase, and a proof of the phrase. Replaces all other kits. With confirmed: false, before the words are shown, the other kits remain valid.',
    input: z.object({
      password: loginHash,
      ...factorProof,
      recovery: recoveryKit,
      confirmed: flag.default(true),
    }),
    output: dataOf(z.object({ recovery_at: z.string() })),
  }),
  confirm_recovery: defineCall({
    method: 'POST',
    path: '/user/recovery/confirm',
    access: 'user',
    about:
      'Confirms that the user saved the words of a stored kit, which then replaces all others. Idempotent.',
    input: z.object({ proof: recoveryKit.shape.proof }),
    output: dataOf(z.object({ recovery_at: z.string() })),
  }),
  remove_recovery: defineCall({
    method: 'DELETE',
    path: '/user/recovery',
    access: 'user',
    about: 'Deletes the recovery kit and unconfirmed kits. Their phrases no longer work.',
    input: z.object({ password: loginHash, ...factorProof }),
    output: nothing,
  }),
  delete_account: defineCall({
    method: 'POST',
    path: '/user/delete_account',
    access: 'user',
    about:
      'Permanently deletes the account and all its data before the response is sent. The role of an admin must be revoked first.',
    input: z.object({ password: loginHash, ...factorProof }),
    output: nothing,
    timeoutMs: 120_000,
  }),
} as const;
