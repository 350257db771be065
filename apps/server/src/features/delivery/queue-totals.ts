/**
 * Totals of the queue for the console. Counting reads every row, so a long queue is not counted for each look at it: an
 * answer is kept twenty times as long as it took, which leaves at least nineteen parts of twenty of the time to other
 * work, and nobody who asks meanwhile has it counted again.
 */
import { QUEUE_TOTALS_KEPT_MAX_MS } from '../../limits.ts';

const TIMES_AS_LONG = 20;

/** Keeps an answer for as long as it is worth; `forget` has the next one asked anew. `nowMs` counts from anywhere. */
export const keepTotals = <T>(
  ask: () => Promise<T>,
  nowMs: () => number = () => performance.now(),
): { readonly get: () => Promise<T>; readonly forget: () => void } => {
  let kept: { until: number; readonly answer: Promise<T> } | null = null;
  const get = (): Promise<T> => {
    if (kept !== null && nowMs() < kept.until) return kept.answer;
    const from = nowMs();
    const mine = { until: Number.POSITIVE_INFINITY, answer: ask() };
    kept = mine;
    mine.answer.then(
      () => {
        mine.until = nowMs() + Math.min((nowMs() - from) * TIMES_AS_LONG, QUEUE_TOTALS_KEPT_MAX_MS);
      },
      () => {
        if (kept === mine) kept = null;
      },
    );
    return mine.answer;
  };
  const forget = (): void => {
    kept = null;
  };
  return { get, forget };
};
