/**
 * The numbers of the whole service (docs/spec-map.md 3.36, 3.37; docs/interpretations.md#66 and #89), from counters: what they
 * cost does not grow with users or mail. They are right at once; who was not seen for 30 days is known to the hour.
 */
import type { AdminStats } from '@keyfold/contract';
import { PLANS } from '@keyfold/contract/limits';
import { CHURN_MS } from '../../../base/limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { findDayOf, insertSent, readCounts } from './store.ts';

// Times as the counters keep them, in UTC: whole numbers that grow (db/migrations/0034-statistics.ts).
const HOUR_MS = 3_600_000;
const MONTHS = 12;

/** Hours since 1970. */
const hourOf = (at: Date): number => Math.floor(at.getTime() / HOUR_MS);

/** Days since 1970. */
const dayOf = (at: Date): number => Math.floor(at.getTime() / (24 * HOUR_MS));

/** When the day after a day begins. */
const endOfDay = (day: number): Date => new Date((day + 1) * 24 * HOUR_MS);

/** Months since the year 0. */
const monthOf = (at: Date): number => at.getUTCFullYear() * MONTHS + at.getUTCMonth();

/** The first day of a time's month, in days since 1970. */
const firstDayOf = (at: Date): number => dayOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1)));

/** Counts a letter that goes out, in the transaction that lets it go. The caller has the sender's mailbox. */
export const countSent = (trx: Trx, userId: string, at: Date): Promise<void> =>
  insertSent(trx, userId, monthOf(at));

/** The statistics at a time. */
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

/** Where a page of the accounts by age begins: all of a day or older, and so many of them left out. */
export type PageStart = { readonly before: Date; readonly skipped: number };

/** The start of the page after so many accounts, so that no page costs more than its day; null past the end. */
export async function findPageStart(db: Db | Trx, place: number): Promise<PageStart | null> {
  const found = await findDayOf(db, place);
  return found === undefined ? null : { before: endOfDay(found.day), skipped: place - found.younger };
}
