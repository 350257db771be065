// Numbers of the dashboard that the console works out itself (docs/spec-map.md 9.19). Asks for nothing.
import type { AdminStats, AdminUser } from '@keyfold/contract';
import { shareOf } from './number-words.ts';

/** Churned users in percent of all; the server's own number where it does not say how many they are. */
export const churnRateOf = ({ churned_users, churn_rate, total_users }: AdminStats): number =>
  churned_users === undefined ? churn_rate : shareOf(churned_users, total_users);

/** What all these users sent. */
export const sumSent = (users: readonly Pick<AdminUser, 'sent_emails'>[]): number =>
  users.reduce((sum, { sent_emails }) => sum + sent_emails, 0);
