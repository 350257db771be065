/**
 * Calls of the biometric sign-in (docs/spec-map.md 4, 9, docs/interpretations.md#40): a server
 * token that a phone keeps in its secure storage, and its uses. Separate from the other calls,
 * because only phones make them.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { emailAddress, flag } from '../core/fields.ts';
import { user } from '../core/user.ts';

/** A secret of the server, opaque to the client that stores it. */
const token = z.string().min(1).max(64);

export const biometricsCalls = {
  turn_on: defineCall({
    method: 'POST',
    path: '/user/biometrics',
    access: 'user',
    about:
      'Creates a token that signs in this phone after a biometric check. It is valid for 7 days, or for 30 days on a device that stays signed in. It is revoked when its session is signed out or ended in the list, when the password or the keys change, and when all other sessions are ended. The owner receives a notice.',
    input: z.object({ keep_signed_in: flag.default(false) }),
    output: dataOf(z.object({ token: z.string(), expires_at: z.string() })),
  }),
  enter: defineCall({
    method: 'POST',
    path: '/auth/biometrics',
    access: 'public',
    about:
      'Starts a session with such a token and the client_key with which it was created. The session stays signed in if the device of the token does. 401 if the token is expired, revoked or belongs to another user.',
    input: z.object({ email: emailAddress, token, keep_signed_in: flag.default(false) }),
    output: dataOf(user),
  }),
  turn_off: defineCall({
    method: 'POST',
    path: '/auth/biometrics/end',
    access: 'public',
    about: 'Revokes such a token without ending a session. Succeeds without a token.',
    input: z.object({ token }),
    output: nothing,
  }),
} as const;
