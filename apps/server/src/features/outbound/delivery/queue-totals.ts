/**
 * Totals of the queue for the console. Counting reads every row, so a long queue is not counted for each look at it: an
 * answer is kept twenty times as long as it took, which leaves at least nineteen parts of twenty of the time to other
 * work, and nobody who asks meanwhile has it counted again.
 */
import { QUEUE_TOTALS_KEPT_MAX_MS } from '../../../base/limits.ts';

const TIMES_AS_LONG = 20;

/**
 * Keeps an answer for as long as it is worth; `forget` has the next one asked anew, unless what is kept is another than that which was
 * read: somebody has asked anew already. `nowMs` counts from anywhere.
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
