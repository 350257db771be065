/**
 * Codes with which accounts are made, for operators: invitations, which are spent, and affiliates, which are counted.
 * Extensions of the admin calls (docs/adr/0033). A code of an invitation is shown once, when it is made.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { id, plainText, wholeNumber } from '../core/fields.ts';
import { CODE_NOTE_MAX_CHARACTERS, INVITATION_DAYS_MAX, INVITATION_USES_MAX } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

const affiliateCode = z.object({
  code: z.string(),
  note: z.string(),
  /** Accounts that were made with it. */
  signups: z.number(),
  created_at: z.iso.datetime(),
});
export type AffiliateCode = z.infer<typeof affiliateCode>;

const invitationCode = z.object({
  id,
  /** The first characters of the code. */
  hint: z.string(),
  note: z.string(),
  uses_allowed: z.number(),
  uses_left: z.number(),
  /** Null: it never ends. */
  expires_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
});
export type InvitationCode = z.infer<typeof invitationCode>;

export const signUpCodesCalls = {
  list: defineCall({
    method: 'GET',
    path: '/admin/readonly/signup_codes',
    access: 'readonly',
    about:
      'How accounts are made here: domains, whether an invitation is needed, the newest invitation codes, and the affiliate codes that brought most.',
    input: z.object({}),
    output: dataOf(
      z.object({
        invitation_needed: z.boolean(),
        domains: z.array(z.string()),
        invitations: rowsOf(invitationCode),
        affiliates: rowsOf(affiliateCode),
      }),
    ),
  }),
  create_invitation: defineCall({
    method: 'POST',
    path: '/admin/standard/create_invitation',
    access: 'standard',
    about: 'Makes an invitation code for so many accounts and days; without days it never ends.',
    input: z.object({
      uses: wholeNumber(1, INVITATION_USES_MAX).default(1),
      days: wholeNumber(1, INVITATION_DAYS_MAX).optional(),
      note: plainText(CODE_NOTE_MAX_CHARACTERS).default(''),
    }),
    output: dataOf(z.object({ id, code: z.string(), expires_at: z.iso.datetime().nullable() })),
  }),
  remove_invitation: defineCall({
    method: 'POST',
    path: '/admin/standard/remove_invitation',
    access: 'standard',
    about: 'Ends an invitation code; accounts that were made with it stay.',
    input: z.object({ id }),
    output: nothing,
  }),
} as const;
