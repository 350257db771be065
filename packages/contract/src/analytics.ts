/**
 * Security analytics (Spec §6 and §7): how much mail came from outside, what of it was flagged and why, and how well its
 * senders were proved. Numbers by day alone: no sender, no subject, no mail.
 */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { dataOf } from './envelope.ts';
import { wholeNumber } from './fields.ts';
import { ANALYTICS_DAYS_DEFAULT, ANALYTICS_DAYS_MAX, ANALYTICS_DAYS_MIN } from './limits.ts';

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

export const analytics = {
  security_stats: defineCall({
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
