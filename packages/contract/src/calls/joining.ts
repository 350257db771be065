/**
 * Calls of who follows a link of their organisation (docs/interpretations.md#76): what an invitation or a reset is about, and
 * setting the new password. The secrets travel in bodies, since addresses are written into logs; an invitation is used up by
 * register.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { ORGANIZATION_ROLES } from '../core/limits.ts';
import { loginHash, mainKey } from '../core/user.ts';

/** The secret of a link: 32 bytes as base64url. */
export const linkSecret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Not a secret of a link');

export const joiningCalls = {
  invitation: defineCall({
    method: 'POST',
    path: '/auth/invitation',
    access: 'public',
    about: 'What an invitation is for; 404 when it was used, has expired, or was withdrawn.',
    input: z.object({ invite: linkSecret }),
    output: dataOf(
      z.object({
        organization: z.string(),
        name: z.string(),
        username: z.string(),
        domain: z.string(),
        role: z.enum(ORGANIZATION_ROLES),
        /** Whether the address is at a domain of the organization, so that an account that joins gets it. */
        is_connected: z.boolean(),
        expires_at: z.iso.datetime(),
      }),
    ),
  }),
  reset: defineCall({
    method: 'POST',
    path: '/auth/reset',
    access: 'public',
    about: 'Whose password a link resets; 404 when it was used, has expired, or was withdrawn.',
    input: z.object({ reset: linkSecret }),
    output: dataOf(
      z.object({
        organization: z.string(),
        email: z.string(),
        /** From which the new secrets are derived, and with which one signs in. */
        kdf_email: z.string(),
        expires_at: z.iso.datetime(),
      }),
    ),
  }),
  set_password: defineCall({
    method: 'POST',
    path: '/auth/reset_password',
    access: 'public',
    about:
      'Uses a reset up: a new password and new keys. All sessions, the recovery kit and older keys end; a second factor stays.',
    input: z.object({ reset: linkSecret, password: loginHash, main_key: mainKey }),
    output: nothing,
    timeoutMs: 30_000,
  }),
} as const;
