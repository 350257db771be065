/**
 * Calls about one's own account (docs/spec-map.md 7, docs/api-conventions.md#account): name, password, sessions, recovery kit,
 * storage, its end.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { flag, id, plainText } from '../core/fields.ts';
import { NAME_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { loginHash, mainKey, recoveryKit } from '../core/user.ts';
import { factorProof } from './factor-proof.ts';

/** The browser and the system that a User-Agent names; null for what is not known. */
const device = z.object({ browser: z.string().nullable(), system: z.string().nullable() });

const session = z.object({
  id,
  device,
  /** Where it was used last: an IPv4 address, or the /64 network of an IPv6 one. */
  address: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
  /** When it ends, however much it is used. */
  ends_at: z.string(),
  /** Whether the device stays signed in. */
  kept: z.boolean(),
  /** Whether it is a phone that signs in after its biometrics were asked. */
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
    about: 'Changes the name that others see beside one’s address.',
    input: z.object({ name: plainText(NAME_MAX_CHARACTERS).min(1) }),
    output: dataOf(z.object({ name: z.string() })),
    isRepeatable: true,
  }),
  change_password: defineCall({
    method: 'POST',
    path: '/user/change_password',
    access: 'user',
    about:
      'Replaces the login hash and the wraps of the same keys at once; all other sessions and kept devices end. 403 for a wrong password or second factor, 422 for other keys.',
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
    about: 'Where one is signed in: living sessions, and devices that stay signed in; this one first.',
    input: z.object({}),
    output: dataOf(rowsOf(session)),
  }),
  end_session: defineCall({
    method: 'DELETE',
    path: '/user/sessions/:id',
    access: 'user',
    about: 'Ends a session, and with it the device that stays signed in.',
    input: z.object({ id }),
    output: nothing,
  }),
  end_other_sessions: defineCall({
    method: 'POST',
    path: '/user/sessions/end_others',
    access: 'user',
    about: 'Ends every session and kept device but this one; how many there were.',
    input: z.object({}),
    output: dataOf(z.object({ ended: z.number() })),
  }),
  logins: defineCall({
    method: 'GET',
    path: '/user/logins',
    access: 'user',
    about: 'The sign-ins of the last 90 days, newest first, refused ones too; at most 200.',
    input: z.object({}),
    output: dataOf(rowsOf(login)),
  }),
  storage: defineCall({
    method: 'GET',
    path: '/user/storage',
    access: 'user',
    about:
      'What the storage is used for, in bytes: mail, files, spam and deleted mail, drafts. The search index has room of its own.',
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
      'Stores a recovery kit: the same keys wrapped by a phrase, and a proof of it. Replaces all others; with confirmed: false, before its words are shown, it stands beside them.',
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
      'Says that the words of a stored kit were kept: it takes the place of all others. A repeat answers the same.',
    input: z.object({ proof: recoveryKit.shape.proof }),
    output: dataOf(z.object({ recovery_at: z.string() })),
  }),
  remove_recovery: defineCall({
    method: 'DELETE',
    path: '/user/recovery',
    access: 'user',
    about: 'Forgets the recovery kit and those that were not confirmed: their phrases open nothing any more.',
    input: z.object({ password: loginHash, ...factorProof }),
    output: nothing,
  }),
  delete_account: defineCall({
    method: 'POST',
    path: '/user/delete_account',
    access: 'user',
    about:
      'Removes the account with everything in it, for good and before the answer. Admins stay until their role is revoked.',
    input: z.object({ password: loginHash, ...factorProof }),
    output: nothing,
    timeoutMs: 120_000,
  }),
} as const;
