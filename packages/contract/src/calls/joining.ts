/**
 * Calls for users who follow an organization's link (docs/interpretations.md#76): what an
 * invitation or a reset refers to, and setting the new password. Secrets travel in bodies because
 * URLs are logged. `register` consumes the invitation.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { ORGANIZATION_ROLES } from '../core/limits.ts';
import { loginHash, mainKey } from '../core/user.ts';

/** Secret in a link: 32 bytes as base64url. */
export const linkSecret = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Invalid link');

export const joiningCalls = {
  invitation: defineCall({
    method: 'POST',
    path: '/auth/invitation',
    access: 'public',
    about: 'What an invitation is for; 404 if it was used, has expired or was withdrawn.',
    input: z.object({ invite: linkSecret }),
    output: dataOf(
      z.object({
        organization: z.string(),
        name: z.string(),
        username: z.string(),
        domain: z.string(),
        role: z.enum(ORGANIZATION_ROLES),
        /**
         * Whether the address is at one of the organization's domains, so that the joining account
         * receives it.
         */
        is_connected: z.boolean(),
        expires_at: z.iso.datetime(),
      }),
    ),
  }),
  reset: defineCall({
    method: 'POST',
    path: '/auth/reset',
    access: 'public',
    about: 'Whose password a link resets; 404 if it was used, has expired or was withdrawn.',
    input: z.object({ reset: linkSecret }),
    output: dataOf(
      z.object({
        organization: z.string(),
        email: z.string(),
        /** Address that the new secrets are derived from and that the user signs in with. */
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
      'Uses a reset link to set a new password and new keys. All sessions end, and the recovery kit and older keys are deleted. Second factors remain.',
    input: z.object({ reset: linkSecret, password: loginHash, main_key: mainKey }),
    output: nothing,
    timeoutMs: 30_000,
  }),
} as const;
