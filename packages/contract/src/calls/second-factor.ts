/**
 * Calls about one's second factor (docs/spec-map.md 4, 7, docs/interpretations.md#86): the authenticator app, passkeys and
 * security keys, and the recovery codes that stand in for both. Where one is on already, a change of it proves it once more.
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
  /** Whether its maker keeps copies of it on several devices. */
  is_synced: z.boolean(),
});
export type OwnPasskey = z.infer<typeof passkey>;

/** One that cannot be read is still a key that opens the account: it is shown, and can be removed. */
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
  /** Whether keys can be had here: WebAuthn wants a host name and no bare number. */
  has_passkeys: z.boolean(),
  recovery_codes_left: z.number(),
  /** False while codes were shown that their owner has not confirmed to have kept; these work all the same. */
  recovery_codes_confirmed: z.boolean().default(true),
});
export type SecondFactorStatus = z.infer<typeof status>;

/** New codes, which are shown this once; none where there are some already. */
const codesOnce = z.array(z.string());

export const otpCalls = {
  generate: defineCall({
    method: 'GET',
    path: '/otp/generate',
    access: 'user',
    about:
      'The secret for an authenticator app (SHA-1, six digits, 30 seconds) and its otpauth address. It counts once `initial` has seen a code of it, within ten minutes. 409 when one is on already.',
    input: z.object({}),
    output: dataOf(z.object({ secret: z.string(), uri: z.string(), expires_at: z.string() })),
  }),
  initial: defineCall({
    method: 'POST',
    path: '/otp/initial',
    access: 'user',
    about:
      'Turns the authenticator app on with the first right code. Answers ten recovery codes when it is the first second factor. 403 for a wrong code.',
    input: z.object({ code: factorCode, ...factorProof }),
    output: dataOf(z.object({ recovery_codes: codesOnce })),
  }),
  disable: defineCall({
    method: 'POST',
    path: '/otp/disable',
    access: 'user',
    about:
      'Turns the authenticator app off, with a code of it, a recovery code, or a key. 403 for a wrong one.',
    input: z.object({ code: factorCode.optional(), passkey: passkeyAnswer.optional() }),
    output: nothing,
  }),
} as const;

export const secondFactorCalls = {
  status: defineCall({
    method: 'GET',
    path: '/user/second_factor',
    access: 'user',
    about: 'Which second factors are on, and how many recovery codes are left.',
    input: z.object({}),
    output: dataOf(status),
  }),
  challenge: defineCall({
    method: 'POST',
    path: '/user/second_factor/challenge',
    access: 'user',
    about:
      'What a passkey or security key is asked to sign, to prove the second factor once more in this session; good once and for five minutes.',
    input: z.object({}),
    output: dataOf(passkeyOptions),
  }),
  renew_codes: defineCall({
    method: 'POST',
    path: '/user/second_factor/recovery_codes',
    access: 'user',
    about:
      'Ten new recovery codes in place of the old ones; with confirmed: false, beside them until confirm_codes. 422 without a second factor.',
    input: z.object({ password: loginHash, ...factorProof, confirmed: flag.default(true) }),
    output: dataOf(z.object({ recovery_codes: codesOnce })),
  }),
  confirm_codes: defineCall({
    method: 'POST',
    path: '/user/second_factor/recovery_codes/confirm',
    access: 'user',
    about:
      'Says that new recovery codes were kept, by one of them: its set takes the place of all others. Uses no code up; a repeat changes nothing. 403 for a wrong code.',
    input: z.object({ code: factorCode }),
    output: nothing,
  }),
  begin_passkey: defineCall({
    method: 'POST',
    path: '/user/passkeys/challenge',
    access: 'user',
    about:
      'What the browser needs to make a passkey or to register a security key; good once and for five minutes.',
    input: z.object({ password: loginHash, ...factorProof }),
    output: dataOf(passkeyOptions),
  }),
  add_passkey: defineCall({
    method: 'POST',
    path: '/user/passkeys',
    access: 'user',
    about:
      'Adds the key that the browser made. Answers ten recovery codes when it is the first second factor. 409 for a key that is known.',
    input: z.object({ name, credential: newPasskey }),
    output: dataOf(z.object({ passkey, recovery_codes: codesOnce })),
  }),
  rename_passkey: defineCall({
    method: 'PUT',
    path: '/user/passkeys/:id',
    access: 'user',
    about: 'Gives a key another name.',
    input: z.object({ id, name }),
    output: nothing,
  }),
  remove_passkey: defineCall({
    method: 'DELETE',
    path: '/user/passkeys/:id',
    access: 'user',
    about: 'Removes a key, with a code, a recovery code, or any of the keys. 403 for a wrong one.',
    input: z.object({ id, ...factorProof }),
    output: nothing,
  }),
} as const;
