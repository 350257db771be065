/**
 * Calls about the user's own second factor (docs/spec-map.md 4, 7, docs/interpretations.md#86): the
 * authenticator app, passkeys and security keys, and the recovery codes that replace either. Once a
 * factor is on, changing it requires verifying the second factor again.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { flag, id, plainText } from '../core/fields.ts';
import { PASSKEY_NAME_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { loginHash } from '../core/user.ts';
import { factorCode, factorProof, newPasskey, passkeyAnswer, passkeyOptions } from './factor-proof.ts';
import { UNREADABLE_ENTRY } from './unreadable.ts';

const name = plainText(PASSKEY_NAME_MAX_CHARACTERS).min(1);

const passkey = z.object({
  id,
  name: z.string(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  /** Whether the passkey provider syncs it to several devices. */
  is_synced: z.boolean(),
});
export type OwnPasskey = z.infer<typeof passkey>;

/** An unreadable passkey still opens the account, so it is listed and can be removed. */
const unreadablePasskey = (row: unknown): OwnPasskey => ({
  id: id.safeParse((row as { id?: unknown } | null)?.id).data ?? 'unreadable',
  name: UNREADABLE_ENTRY,
  created_at: new Date(0).toISOString(),
  last_used_at: null,
  is_synced: false,
});

const status = z.object({
  totp_active: z.boolean(),
  totp_since: z.string().nullable(),
  passkeys: rowsOf(passkey, unreadablePasskey),
  /** Whether this server supports passkeys: WebAuthn requires a host name, not an IP address. */
  has_passkeys: z.boolean(),
  recovery_codes_left: z.number(),
  /**
   * False while codes have been shown but the user has not confirmed saving them. These codes work
   * all the same.
   */
  recovery_codes_confirmed: z.boolean().default(true),
});
export type SecondFactorStatus = z.infer<typeof status>;

/** New codes, shown only this once; empty when codes already exist. */
const codesOnce = z.array(z.string());

export const otpCalls = {
  generate: defineCall({
    method: 'GET',
    path: '/otp/generate',
    access: 'user',
    about:
      'The secret for an authenticator app (SHA-1, six digits, 30 seconds) and its otpauth URL. It takes effect once `initial` has received one of its codes, within ten minutes. 409 if an app is already set up.',
    input: z.object({}),
    output: dataOf(z.object({ secret: z.string(), uri: z.string(), expires_at: z.string() })),
  }),
  initial: defineCall({
    method: 'POST',
    path: '/otp/initial',
    access: 'user',
    about:
      'Enables the authenticator app with the first correct code. Returns ten recovery codes if it is the first second factor. 403 for a wrong code.',
    input: z.object({ code: factorCode, ...factorProof }),
    output: dataOf(z.object({ recovery_codes: codesOnce })),
  }),
  disable: defineCall({
    method: 'POST',
    path: '/otp/disable',
    access: 'user',
    about:
      'Disables the authenticator app. Requires one of its codes, a recovery code or a key; 403 if it is wrong.',
    input: z.object({ code: factorCode.optional(), passkey: passkeyAnswer.optional() }),
    output: nothing,
  }),
} as const;

export const secondFactorCalls = {
  status: defineCall({
    method: 'GET',
    path: '/user/second_factor',
    access: 'user',
    about: 'The enabled second factors, and the number of recovery codes left.',
    input: z.object({}),
    output: dataOf(status),
  }),
  challenge: defineCall({
    method: 'POST',
    path: '/user/second_factor/challenge',
    access: 'user',
    about:
      'The challenge for a passkey or security key to prove the second factor again in this session. Single-use, valid for five minutes.',
    input: z.object({}),
    output: dataOf(passkeyOptions),
  }),
  renew_codes: defineCall({
    method: 'POST',
    path: '/user/second_factor/recovery_codes',
    access: 'user',
    about:
      'Creates ten recovery codes that replace the old ones. With confirmed: false, the old codes remain valid until confirm_codes. 422 without a second factor.',
    input: z.object({ password: loginHash, ...factorProof, confirmed: flag.default(true) }),
    output: dataOf(z.object({ recovery_codes: codesOnce })),
  }),
  confirm_codes: defineCall({
    method: 'POST',
    path: '/user/second_factor/recovery_codes/confirm',
    access: 'user',
    about:
      'Confirms with one of the new recovery codes that the user saved them. They then replace all others. Uses up no code; a repeat changes nothing. 403 for a wrong code.',
    input: z.object({ code: factorCode }),
    output: nothing,
  }),
  begin_passkey: defineCall({
    method: 'POST',
    path: '/user/passkeys/challenge',
    access: 'user',
    about:
      'The options with which the browser creates a passkey or registers a security key. Single-use, valid for five minutes.',
    input: z.object({ password: loginHash, ...factorProof }),
    output: dataOf(passkeyOptions),
  }),
  add_passkey: defineCall({
    method: 'POST',
    path: '/user/passkeys',
    access: 'user',
    about:
      'Adds the key that the browser created. Returns ten recovery codes if it is the first second factor. 409 for a registered key.',
    input: z.object({ name, credential: newPasskey }),
    output: dataOf(z.object({ passkey, recovery_codes: codesOnce })),
  }),
  rename_passkey: defineCall({
    method: 'PUT',
    path: '/user/passkeys/:id',
    access: 'user',
    about: 'Renames a key.',
    input: z.object({ id, name }),
    output: nothing,
  }),
  remove_passkey: defineCall({
    method: 'DELETE',
    path: '/user/passkeys/:id',
    access: 'user',
    about: 'Removes a key. Requires a code, a recovery code or any of the keys; 403 if it is wrong.',
    input: z.object({ id, ...factorProof }),
    output: nothing,
  }),
} as const;
