/**
 * Calls of the second step of signing in (docs/spec-map.md 7, docs/interpretations.md#29): after the right password a cookie of
 * five minutes stands for the half-done sign-in, which can do nothing else. Each of them answers 401 when there is none.
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
      'Ends a half-done sign-in with a code of the authenticator app or a recovery code, each good once. 401 for a wrong one; after five the password is asked for again, and 429 says how long codes are refused.',
    input: z.object({ email: emailAddress, code: factorCode, keep_signed_in: flag.default(false) }),
    output: dataOf(user),
  }),
  challenge: defineCall({
    method: 'POST',
    path: '/auth/mfa/challenge',
    access: 'public',
    about:
      'What a passkey or security key is asked to sign for a half-done sign-in or recovery; good once and for five minutes.',
    input: z.object({ email: emailAddress }),
    output: dataOf(passkeyOptions),
  }),
  passkey: defineCall({
    method: 'POST',
    path: '/auth/mfa/passkey',
    access: 'public',
    about: 'Ends a half-done sign-in with the answer of a passkey or security key.',
    input: z.object({ email: emailAddress, passkey: passkeyAnswer, keep_signed_in: flag.default(false) }),
    output: dataOf(user),
  }),
} as const;
