/**
 * Auth calls for clients with a current or former session (docs/spec-map.md 7,
 * docs/api-conventions.md): restore, check, logout. The calls for signing in and up are in
 * sign-in.ts, sign-up.ts, mfa.ts and recovery.ts, because a list needs none of them.
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
      'Starts a new session from the 30-day device cookie and replaces the cookie; 401 if it is absent, expired or belongs to another user. A repeat within one minute with the same Idempotency-Key (32 random bytes, base64url) counts as the same use until the new session is used.',
    input: z.object({ email: emailAddress, timestamp: z.union([z.number(), z.string().max(40)]) }),
    output: dataOf(user),
  }),
  check: defineCall({
    method: 'GET',
    path: '/auth/check',
    access: 'user',
    about: 'The signed-in user; 401 without a session.',
    input: z.object({}),
    output: dataOf(user),
  }),
  logout: defineCall({
    method: 'GET',
    path: '/auth/logout',
    access: 'public',
    about:
      'Ends the session and deletes the device cookie. Succeeds without a session. Same-site requests only.',
    input: z.object({}),
    output: nothing,
  }),
} as const;
