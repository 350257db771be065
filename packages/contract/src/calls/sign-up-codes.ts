/**
 * Sign-up codes for operators: invitations, which are used up, and affiliate codes, which are
 * counted. Extends the admin calls (docs/adr/0033). An invitation code is shown once, when it is
 * created.
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
  /** Accounts created with it. */
  signups: z.number(),
  created_at: z.iso.datetime(),
});
export type AffiliateCode = z.infer<typeof affiliateCode>;

const invitationCode = z.object({
  id,
  /** First characters of the code. */
  hint: z.string(),
  note: z.string(),
  uses_allowed: z.number(),
  uses_left: z.number(),
  /** Null: never expires. */
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
      'Sign-up settings and codes: domains, whether an invitation is required, the newest invitation codes, and the affiliate codes with the most sign-ups.',
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
    about: 'Creates an invitation code for a number of accounts and days. Without days, it does not expire.',
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
    about: 'Revokes an invitation code. Accounts created with it remain.',
    input: z.object({ id }),
    output: nothing,
  }),
} as const;
