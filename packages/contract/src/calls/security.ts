/**
 * Security settings and analytics (docs/spec-map.md 3, 6, 7): the spam filter, blocked and allowed
 * senders, and their results. Statistics are per day only: no sender, subject or message.
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
import { RULE_FIELDS, RULE_TESTS } from './rules.ts';

/** An address, or `@domain` for all addresses at that domain. */
const sender = plainText(254).min(3);

/**
 * Rule of the spam filter; the first matching rule decides. A bare string is short for "flag if the
 * subject contains it". Texts are compared literally, never as patterns.
 */
export const customRule = z.union([
  plainText(200),
  z.object({
    field: z.enum(RULE_FIELDS),
    test: z.enum(RULE_TESTS),
    value: plainText(200).min(1),
    /** `allow` lets a message through that its score would flag. */
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
  /** Messages from external senders. */
  received: z.number(),
  /** Number of these that arrived flagged: the sum of the three fields below. */
  flagged: z.number(),
  /** Flagged by the list of blocked senders. */
  flagged_by_sender: z.number(),
  /** Flagged by a custom rule or by a rule for incoming mail. */
  flagged_by_rule: z.number(),
  /** Flagged by the spam filter. */
  flagged_by_score: z.number(),
  /** Messages by DMARC result: passed, inconclusive, or failed. The three add up to `received`. */
  proved: z.number(),
  unproved: z.number(),
  disproved: z.number(),
});

/** Day in UTC as YYYY-MM-DD, with its counts. */
const arrivalDay = counts.extend({ date: z.string() });
export type ArrivalDay = z.infer<typeof arrivalDay>;

const securityStats = z.object({
  /** Every requested day, oldest first, ending today; includes days without mail. */
  days: z.array(arrivalDay),
  totals: counts,
  /** First counted day that is still kept; null when there is none. */
  counted_since: z.string().nullable(),
});
export type SecurityStats = z.infer<typeof securityStats>;

export const securityCalls = {
  settings: defineCall({
    method: 'GET',
    path: '/user/security/settings',
    access: 'user',
    about: 'Spam settings and sender lists; 404 if none were ever saved.',
    input: z.object({}),
    output: dataOf(securitySettings),
  }),
  save_settings: defineCall({
    method: 'PUT',
    path: '/user/security/settings',
    access: 'user',
    about: 'Replaces the spam settings and sender lists.',
    input: securitySettings.omit({ updated_at: true }),
    output: dataOf(securitySettings),
    isRepeatable: true,
  }),
  block: defineCall({
    method: 'POST',
    path: '/user/block',
    access: 'user',
    about: 'Adds a sender to the blacklist or removes it. Mail from a blacklisted sender arrives flagged.',
    input: z.object({ sender, value: flag }),
    output: dataOf(securitySettings),
    isRepeatable: true,
  }),
  stats: defineCall({
    method: 'GET',
    path: '/user/security/stats',
    access: 'user',
    about:
      'Mail from other providers by day: volume, flagged mail with reasons, and results of sender authentication. Requires plan plus or higher, otherwise 403.',
    input: z.object({
      days: wholeNumber(ANALYTICS_DAYS_MIN, ANALYTICS_DAYS_MAX).default(ANALYTICS_DAYS_DEFAULT),
    }),
    output: dataOf(securityStats),
  }),
} as const;
