/**
 * The call that signs in (docs/spec-map.md 7). The second step is in mfa.ts, the way back by a recovery kit in recovery.ts, since few
 * ever ask for them.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { emailAddress, flag } from '../core/fields.ts';
import { FACTOR_KINDS } from '../core/limits.ts';
import { loginHash, user } from '../core/user.ts';

/**
 * The word that the second factor is asked for, and what it can be (docs/interpretations.md#29); the calls of mfa.ts go on from
 * there.
 */
const mfaRequired = z.object({ mfa_required: z.literal(true), factors: z.array(z.enum(FACTOR_KINDS)) });

/** Either the user, or a half-done sign-in. */
export const loginAnswer = z.union([user, mfaRequired]);

export const signInCalls = {
  login: defineCall({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    about:
      'Logs in with the login hash; one answer for an unknown address and a wrong password. With a second factor on: mfa_required, and a cookie of five minutes for /auth/mfa.',
    input: z.object({ email: emailAddress, password: loginHash, keep_signed_in: flag.default(false) }),
    output: dataOf(loginAnswer),
  }),
} as const;
