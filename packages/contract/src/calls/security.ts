/**
 * Security settings and analytics (docs/spec-map.md 3, 6, 7): the spam filter, blocked and welcome senders, and what came of
 * them. The numbers are by day alone: no sender, no subject, no mail.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf } from '../core/envelope.ts';
import { flag, plainText, wholeNumber } from '../core/fields.ts';
import {
  ANALYTICS_DAYS_DEFAULT,
  ANALYTICS_DAYS_MAX,
  ANALYTICS_DAYS_MIN,
  CUSTOM_RULES_MAX,
  SENDERS_MAX,
} from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';
import { RULE_FIELDS, RULE_TESTS } from './triage.ts';

/** An address, or `@domain` for everybody there. */
const sender = plainText(254).min(3);

/**
 * A rule of the spam filter: the first that holds decides. A bare text is the short form of "the subject contains it:
 * flag". Texts are compared, never patterns.
 */
export const customRule = z.union([
  plainText(200),
  z.object({
    field: z.enum(RULE_FIELDS),
    test: z.enum(RULE_TESTS),
    value: plainText(200).min(1),
    /** `allow` lets a mail through that would be flagged for its score. */
    action: z.enum(['flag', 'allow']).default('flag'),
  }),
]);
export type CustomRule = z.infer<typeof customRule>;

/** Security settings (docs/spec-map.md 3.33). */
export const securitySettings = z.object({
  spam_filters: z.object({
    enabled: z.boolean(),
    sensitivity: z.enum(['low', 'medium', 'high']).default('medium'),
    custom_rules: rowsOf(customRule, undefined, CUSTOM_RULES_MAX),
  }),
  whitelist: rowsOf(sender, undefined, SENDERS_MAX),
  blacklist: rowsOf(sender, undefined, SENDERS_MAX),
  updated_at: z.string().nullable(),
});
export type SecuritySettings = z.infer<typeof securitySettings>;

const counts = z.object({
  /** Mails from outside. */
  received: z.number(),
  /** Of these, how many arrived flagged: the sum of the three below. */
  flagged: z.number(),
  /** Flagged for the list of blocked senders. */
  flagged_by_sender: z.number(),
  /** Flagged by a custom rule, or by a rule for arriving mail. */
  flagged_by_rule: z.number(),
  /** Flagged by the spam filter. */
  flagged_by_score: z.number(),
  /** Senders by what DMARC says of them: proved, not to be proved, or disproved. The three make up `received`. */
  proved: z.number(),
  unproved: z.number(),
  disproved: z.number(),
});

/** A day in UTC as YYYY-MM-DD, and its numbers. */
const arrivalDay = counts.extend({ date: z.string() });
export type ArrivalDay = z.infer<typeof arrivalDay>;

const securityStats = z.object({
  /** Every day asked for, oldest first, today last; days without mail too. */
  days: z.array(arrivalDay),
  totals: counts,
  /** The first day that was ever counted and is still kept; null when none was. */
  counted_since: z.string().nullable(),
});
export type SecurityStats = z.infer<typeof securityStats>;

export const securityCalls = {
  settings: defineCall({
    method: 'GET',
    path: '/user/security/settings',
    access: 'user',
    about: 'Spam settings and the lists of senders; 404 when none were ever saved.',
    input: z.object({}),
    output: dataOf(securitySettings),
  }),
  save_settings: defineCall({
    method: 'PUT',
    path: '/user/security/settings',
    access: 'user',
    about: 'Replaces spam settings and the lists of senders.',
    input: securitySettings.omit({ updated_at: true }),
    output: dataOf(securitySettings),
    isRepeatable: true,
  }),
  block: defineCall({
    method: 'POST',
    path: '/user/block',
    access: 'user',
    about: 'Puts a sender on the blacklist, or takes it off; mail from there arrives flagged.',
    input: z.object({ sender, value: flag }),
    output: dataOf(securitySettings),
    isRepeatable: true,
  }),
  stats: defineCall({
    method: 'GET',
    path: '/user/security/stats',
    access: 'user',
    about:
      'Mail from outside by day: how much, what was flagged and why, how senders were proved. Needs plus or higher: 403 otherwise.',
    input: z.object({
      days: wholeNumber(ANALYTICS_DAYS_MIN, ANALYTICS_DAYS_MAX).default(ANALYTICS_DAYS_DEFAULT),
    }),
    output: dataOf(securityStats),
  }),
} as const;
