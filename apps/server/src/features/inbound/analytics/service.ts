/**
 * Security analytics (docs/spec-map.md 6.08, 7.61): counts external mail by day in the transaction
 * that stores it, so that nothing is ever scanned and a repeated delivery counts once. Only users
 * whose plan includes analytics are counted.
 */
import type { SecurityStats } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Plan } from '@keyfold/contract/plans';
import { ANALYTICS_PLANS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { addCounts, type Counts, type DayCounts, findCounts, findFirstDay } from './store.ts';

/** Why a message arrived flagged. */
export type FlagReason = 'sender' | 'rule' | 'score';

/** The facts about an arriving message that are counted. */
export type Arrival = {
  readonly userId: string;
  readonly receivedAt: Date;
  readonly flaggedBy: FlagReason | null;
  /** DMARC result, in the terms of RFC 8601. */
  readonly dmarc: string;
};

const DAY_MS = 86_400_000;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

const NONE: Counts = {
  flagged_by_sender: 0,
  flagged_by_rule: 0,
  flagged_by_score: 0,
  proved: 0,
  unproved: 0,
  disproved: 0,
};

function senderOf(dmarc: string): 'proved' | 'unproved' | 'disproved' {
  if (dmarc === 'pass') return 'proved';
  return dmarc === 'fail' || dmarc === 'permerror' ? 'disproved' : 'unproved';
}

/** Returns whether arrivals of users with this plan are counted. */
export const hasAnalytics = (plan: Plan): boolean => ANALYTICS_PLANS.has(plan);

/** Counts messages that were just stored, under the locks of their mailboxes. */
export async function countArrivals(trx: Trx, arrivals: readonly Arrival[]): Promise<void> {
  const days = new Map<string, DayCounts>();
  for (const { userId, receivedAt, flaggedBy, dmarc } of arrivals) {
    const day = dayOf(receivedAt);
    const key = `${userId} ${day}`;
    const before = days.get(key) ?? { ...NONE, user_id: userId, day };
    const sender = senderOf(dmarc);
    const after = { ...before, [sender]: before[sender] + 1 };
    const flag = flaggedBy === null ? null : (`flagged_by_${flaggedBy}` as const);
    days.set(key, flag === null ? after : { ...after, [flag]: before[flag] + 1 });
  }
  await addCounts(trx, [...days.values()]);
}

type Totals = SecurityStats['totals'];

const toTotals = (counts: Counts): Totals => ({
  ...counts,
  received: counts.proved + counts.unproved + counts.disproved,
  flagged: counts.flagged_by_sender + counts.flagged_by_rule + counts.flagged_by_score,
});

const add = (sum: Counts, more: Counts): Counts => ({
  flagged_by_sender: sum.flagged_by_sender + more.flagged_by_sender,
  flagged_by_rule: sum.flagged_by_rule + more.flagged_by_rule,
  flagged_by_score: sum.flagged_by_score + more.flagged_by_score,
  proved: sum.proved + more.proved,
  unproved: sum.unproved + more.unproved,
  disproved: sum.disproved + more.disproved,
});

/** Returns the user's counts for the last days, including today. Throws plus_required. */
export async function getSecurityStats(
  { db, clock }: Pick<Deps, 'clock' | 'db'>,
  { userId, plan }: { readonly userId: string; readonly plan: Plan },
  days: number,
): Promise<SecurityStats> {
  if (!hasAnalytics(plan)) throw new AppError('plus_required');
  const nowMs = clock.now().getTime();
  const dates = Array.from({ length: days }, (_, index) =>
    dayOf(new Date(nowMs - (days - 1 - index) * DAY_MS)),
  );
  const found = await findCounts(db, userId, dates[0] ?? '');
  const byDate = new Map(found.map(({ date, ...counts }) => [date, counts]));
  const counted = dates.map(date => ({ date, counts: byDate.get(date) ?? NONE }));
  return {
    days: counted.map(({ date, counts }) => ({ date, ...toTotals(counts) })),
    totals: toTotals(counted.reduce((sum, { counts }) => add(sum, counts), NONE)),
    counted_since: await findFirstDay(db, userId),
  };
}
