/**
 * Calls of the Auth group for who has a session, or had one (docs/spec-map.md 7, docs/api-conventions.md): restore, check,
 * logout. How one gets in is in sign-in.ts, sign-up.ts, mfa.ts and recovery.ts, since a list needs none of it.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { emailAddress } from '../core/fields.ts';
import { user } from '../core/user.ts';

export const authCalls = {
  restore: defineCall({
    method: 'POST',
    path: '/auth/restore',
    access: 'public',
    about:
      'Starts a new session from the 30-day device cookie, which is replaced; 401 when absent, old or another’s. A repeat within a minute with the same Idempotency-Key (32 random bytes, base64url) is the same use, until the session that it began is used.',
    input: z.object({ email: emailAddress, timestamp: z.union([z.number(), z.string().max(40)]) }),
    output: dataOf(user),
  }),
  check: defineCall({
    method: 'GET',
    path: '/auth/check',
    access: 'user',
    about: 'The logged-in user; 401 otherwise.',
    input: z.object({}),
    output: dataOf(user),
  }),
  logout: defineCall({
    method: 'GET',
    path: '/auth/logout',
    access: 'public',
    about: 'Ends the session and the device cookie; harmless when there is none; same-site only.',
    input: z.object({}),
    output: nothing,
  }),
} as const;
