/**
 * Calls of the second sign-in step (docs/spec-map.md 7, docs/interpretations.md#29). After the
 * correct password, a five-minute cookie represents the MFA-pending session, which allows nothing
 * else. Each call returns 401 without one.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { emailAddress, flag } from '../core/fields.ts';
import { user } from '../core/user.ts';
import { factorCode, passkeyAnswer, passkeyOptions } from './factor-proof.ts';

export const mfaCalls = {
  code: defineCall({
    method: 'POST',
    path: '/auth/mfa',
    access: 'public',
    about:
      'Completes an MFA-pending sign-in with a code of the authenticator app or a recovery code. Each code works once. 401 for a wrong code. After five wrong codes, the password is required again, and 429 says how long codes are refused.',
    input: z.object({ email: emailAddress, code: factorCode, keep_signed_in: flag.default(false) }),
    output: dataOf(user),
  }),
  challenge: defineCall({
    method: 'POST',
    path: '/auth/mfa/challenge',
    access: 'public',
    about:
      'The challenge for a passkey or security key in an MFA-pending sign-in or recovery. Single-use, valid for five minutes.',
    input: z.object({ email: emailAddress }),
    output: dataOf(passkeyOptions),
  }),
  passkey: defineCall({
    method: 'POST',
    path: '/auth/mfa/passkey',
    access: 'public',
    about: 'Completes an MFA-pending sign-in with the response of a passkey or security key.',
    input: z.object({ email: emailAddress, passkey: passkeyAnswer, keep_signed_in: flag.default(false) }),
    output: dataOf(user),
  }),
} as const;
