/**
 * Calls of the biometric sign-in (docs/spec-map.md 4, 9, docs/interpretations.md#40): a token of the server that a phone keeps in
 * its secure storage, and what it is good for. Apart from the other calls, since phones alone make them.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { emailAddress, flag } from '../core/fields.ts';
import { user } from '../core/user.ts';

/** A secret of the server, opaque to its keeper. */
const token = z.string().min(1).max(64);

export const biometricsCalls = {
  turn_on: defineCall({
    method: 'POST',
    path: '/user/biometrics',
    access: 'user',
    about:
      'Makes a token by which this phone signs in after its biometrics were asked: good for 7 days, for 30 on a device that stays signed in. It ends with the session that makes it, when one signs out of that or ends it in the list, with another password, with other keys, and when all other sessions are ended. The owner is told by a notice.',
    input: z.object({ keep_signed_in: flag.default(false) }),
    output: dataOf(z.object({ token: z.string(), expires_at: z.string() })),
  }),
  enter: defineCall({
    method: 'POST',
    path: '/auth/biometrics',
    access: 'public',
    about:
      'Starts a session by such a token, whose client_key is the one it was made with; it stays signed in where the token was made on a device that does. 401 when it is old, ended, or another’s.',
    input: z.object({ email: emailAddress, token, keep_signed_in: flag.default(false) }),
    output: dataOf(user),
  }),
  turn_off: defineCall({
    method: 'POST',
    path: '/auth/biometrics/end',
    access: 'public',
    about: 'Ends such a token, and no session; harmless when there is none.',
    input: z.object({ token }),
    output: nothing,
  }),
} as const;
