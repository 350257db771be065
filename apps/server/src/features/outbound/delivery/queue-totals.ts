/**
 * Queue totals for the admin console. Counting reads every row, so a long queue is not counted on
 * every request. A result is cached for twenty times as long as it took to compute. That leaves at
 * least 19/20 of the time for other work, and concurrent requests never start a second count.
 */
import { QUEUE_TOTALS_KEPT_MAX_MS } from '../../../base/limits.ts';

const TIMES_AS_LONG = 20;

/**
 * Caches a result in proportion to what it cost. `forget` discards it, so that the next request
 * computes it again; given the result that was read, it does nothing when a newer one is already
 * cached. `nowMs` may have any origin.
 */
export function keepTotals<T>(
  ask: () => Promise<T>,
  nowMs: () => number = () => performance.now(),
): { readonly get: () => Promise<T>; readonly forget: (read?: T) => void } {
  let kept: { until: number; readonly answer: Promise<T>; value?: T } | null = null;
  const get = (): Promise<T> => {
    if (kept !== null && nowMs() < kept.until) return kept.answer;
    const from = nowMs();
    const mine: NonNullable<typeof kept> = { until: Number.POSITIVE_INFINITY, answer: ask() };
    kept = mine;
    mine.answer.then(
      value => {
        mine.value = value;
        mine.until = nowMs() + Math.min((nowMs() - from) * TIMES_AS_LONG, QUEUE_TOTALS_KEPT_MAX_MS);
      },
      () => {
        if (kept === mine) kept = null;
      },
    );
    return mine.answer;
  };
  const forget = (read?: T): void => {
    if (read === undefined || kept?.value === read) kept = null;
  };
  return { get, forget };
}
