/**
 * What an admin's client asks first: whether one is an admin, and the token of admin calls (Spec §7).
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { dataOf } from './envelope.ts';
import { ADMIN_LEVELS } from './limits.ts';

export const adminApi = {
  auth: {
    admin_status: defineCall({
      method: 'GET',
      path: '/auth/admin_status',
      access: 'user',
      about: 'Whether the caller is an admin, and of which level.',
      input: z.object({}),
      output: dataOf(z.object({ is_admin: z.boolean(), admin_level: z.enum(ADMIN_LEVELS).nullable() })),
    }),
  },
  csrf: {
    token: defineCall({
      method: 'GET',
      path: '/csrf/token',
      access: 'user',
      about: 'A token for the X-CSRF-Token header of admin calls; lives 24 hours.',
      input: z.object({}),
      output: z.object({ csrf_token: z.string() }),
    }),
  },
} as const;
