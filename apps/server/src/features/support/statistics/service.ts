/**
 * Statistics of the whole service (docs/spec-map.md 3.36, 3.37; docs/interpretations.md#66 and
 * #89), from counters: their cost does not grow with users or mail. They are up to date
 * immediately, except that users not seen for 30 days are counted to the hour.
 */
import type { AdminStats } from '@keyfold/contract';
import { PLANS } from '@keyfold/contract/plans';
import { CHURN_MS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { findDayOf, insertSent, readCounts } from './store.ts';

// Times as the counters store them, in UTC: increasing integers (db/migrations/0034-statistics.ts).
const HOUR_MS = 3_600_000;
const MONTHS = 12;

/** Returns hours since 1970. */
const hourOf = (at: Date): number => Math.floor(at.getTime() / HOUR_MS);

/** Returns days since 1970. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / (24 * HOUR_MS));

/** Returns the start of the following day. */
const endOfDay = (day: number): Date => new Date((day + 1) * 24 * HOUR_MS);

/** Returns months since the year 0. */
const monthOf = (at: Date): number => at.getUTCFullYear() * MONTHS + at.getUTCMonth();

/** Returns the first day of a time's month, in days since 1970. */
const firstDayOf = (at: Date): number => dayOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)));

/**
 * Counts a sent message, in the transaction that releases it. The caller holds the lock on the
 * sender's mailbox.
 */
export const countSent = (trx: Trx, userId: string, at: Date): Promise<void> =>
  insertSent(trx, userId, monthOf(at));

/** Returns the statistics at a time. */
export async function getStatistics(db: Db | Trx, now: Date): Promise<AdminStats> {
  const since = {
    hour: hourOf(new Date(now.getTime() - CHURN_MS)),
    day: firstDayOf(now),
    month: monthOf(now),
  };
  const counts = new Map((await readCounts(db, since)).map(({ kind, total }) => [kind, total]));
  const of = (kind: string) => counts.get(kind) ?? 0;
  const byPlan = Object.fromEntries(PLANS.map(plan => [plan, of(`plan:${plan}`)]));
  const total = Object.values(byPlan).reduce((sum, one) => sum + one, 0);
  const seen = of('seen:active') + of('seen:suspended');
  return {
    total_users: total,
    active_users: of('seen:active'),
    new_users_this_month: of('joined'),
    churned_users: total - seen,
    churn_rate: total === 0 ? 0 : (100 * (total - seen)) / total,
    storage_used: of('storage'),
    total_emails_sent: of('sent'),
    emails_sent_this_month: of('sent this month'),
    total_domains: of('domains'),
    active_domains: of('active_domains'),
    users_by_plan: byPlan,
  };
}

/**
 * Where a page of the accounts by age begins: all accounts of a day or older, minus the given
 * number of them.
 */
export type PageStart = { readonly before: Date; readonly skipped: number };

/**
 * Returns the start of the page after the given number of accounts, so that no page costs more than
 * reading its day; null past the end.
 */
export async function findPageStart(db: Db | Trx, place: number): Promise<PageStart | null> {
  const found = await findDayOf(db, place);
  return found === undefined ? null : { before: endOfDay(found.day), skipped: place - found.younger };
}
