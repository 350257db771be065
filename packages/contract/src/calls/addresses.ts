/**
 * A user's addresses (docs/spec-map.md 7.56; docs/interpretations.md#63, #64 and #91). The list,
 * labels, the on/off switch and the default sender are extensions in the same style.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { emailAddress, flag, plainText } from '../core/fields.ts';
import { ADDRESS_LABEL_MAX_CHARACTERS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

export const ownAddress = z.object({
  address: z.string(),
  /**
   * main: shown, and the sender unless another is chosen. login: the sign-in address. Neither can
   * be deleted.
   */
  kind: z.enum(['main', 'login', 'alias']),
  label: z.string(),
  /** Whether the address receives mail. */
  is_on: z.boolean(),
  /** Whether new messages are sent from it. */
  is_default: z.boolean(),
  created_at: z.iso.datetime(),
});
export type OwnAddress = z.infer<typeof ownAddress>;

export const addressesCalls = {
  list: defineCall({
    method: 'GET',
    path: '/user/addresses',
    access: 'user',
    about: 'All addresses of the caller, the main address first.',
    input: z.object({}),
    output: dataOf(rowsOf(ownAddress)),
  }),
  create: defineCall({
    method: 'POST',
    path: '/user/address',
    access: 'user',
    about:
      'Creates an address at a domain of the service or at a verified domain of the caller; 409 if the address is taken.',
    input: z.object({ address: emailAddress }),
    output: dataOf(z.object({ address: z.string() })),
  }),
  change: defineCall({
    method: 'PUT',
    path: '/user/address',
    access: 'user',
    about:
      'Updates the given fields: the label, whether the address receives mail, whether new messages are sent from it.',
    input: z.object({
      address: emailAddress,
      label: plainText(ADDRESS_LABEL_MAX_CHARACTERS).optional(),
      is_on: flag.optional(),
      is_default: flag.optional(),
    }),
    output: dataOf(ownAddress),
    isRepeatable: true,
  }),
  remove: defineCall({
    method: 'POST',
    path: '/user/delete_address',
    access: 'user',
    about: 'Deletes an address. It no longer receives mail and is never assigned to another user.',
    input: z.object({ address: emailAddress }),
    output: nothing,
  }),
  rotate: defineCall({
    method: 'POST',
    path: '/user/rotate',
    access: 'user',
    about: 'Replaces an alias with a new random address. The old address stops receiving mail immediately.',
    input: z.object({ address: emailAddress }),
    output: dataOf(z.object({ address: z.string() })),
  }),
  capabilities: defineCall({
    method: 'GET',
    path: '/user/address_capabilities',
    access: 'user',
    about: 'How many additional addresses the caller has and may have, and at which domains.',
    input: z.object({}),
    output: dataOf(
      z.object({
        used: z.number(),
        limit: z.number(),
        can_create: z.boolean(),
        can_rotate: z.boolean(),
        domains: z.array(z.string()),
      }),
    ),
  }),
} as const;
