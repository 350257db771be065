/**
 * The sign-in call (docs/spec-map.md 7). The second step (mfa.ts) and recovery by kit (recovery.ts)
 * are separate because few clients load them.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { emailAddress, flag } from '../core/fields.ts';
import { FACTOR_KINDS } from '../core/limits.ts';
import { loginHash, user } from '../core/user.ts';

/**
 * Response that requests the second factor and lists the available kinds
 * (docs/interpretations.md#29). The calls of mfa.ts continue from there.
 */
const mfaRequired = z.object({ mfa_required: z.literal(true), factors: z.array(z.enum(FACTOR_KINDS)) });

/** The user, or an MFA-pending session. */
export const loginAnswer = z.union([user, mfaRequired]);

export const signInCalls = {
  login: defineCall({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    about:
      'Signs in with the login hash. The response is the same for an unknown address and a wrong password. With a second factor, returns mfa_required and a five-minute cookie for /auth/mfa.',
    input: z.object({ email: emailAddress, password: loginHash, keep_signed_in: flag.default(false) }),
    output: dataOf(loginAnswer),
  }),
} as const;
