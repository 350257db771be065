// Dashboard numbers that the console computes itself (docs/spec-map.md 9.19). Makes no requests.
import type { AdminStats, AdminUser } from '@keyfold/contract';
import { shareOf } from './number-words.ts';

/**
 * Returns churned users as a percentage of all; the server's own rate when it does not report their
 * number.
 */
export const churnRateOf = ({ churned_users, churn_rate, total_users }: AdminStats): number =>
  churned_users === undefined ? churn_rate : shareOf(churned_users, total_users);

/** Returns the number of messages that these users sent. */
export const sumSent = (users: readonly Pick<AdminUser, 'sent_emails'>[]): number =>
  users.reduce((sum, { sent_emails }) => sum + sent_emails, 0);
