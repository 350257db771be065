/**
 * Calls that a client makes before it shows the console (docs/spec-map.md 6): whether the caller is
 * an admin, and the token of admin calls.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { ADMIN_LEVELS } from '../core/limits.ts';

export const adminAccessCalls = {
  admin_status: defineCall({
    method: 'GET',
    path: '/auth/admin_status',
    access: 'user',
    about: 'Whether the caller is an admin, and the admin level.',
    input: z.object({}),
    output: dataOf(z.object({ is_admin: z.boolean(), admin_level: z.enum(ADMIN_LEVELS).nullable() })),
  }),
  token: defineCall({
    method: 'GET',
    path: '/csrf/token',
    access: 'user',
    about: 'A token for the X-CSRF-Token header of admin calls; valid for 24 hours.',
    input: z.object({}),
    output: z.object({ csrf_token: z.string() }),
  }),
} as const;
