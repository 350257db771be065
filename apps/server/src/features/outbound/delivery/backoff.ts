/**
 * When a delivery that failed for now is tried again, and when it is given up. Pure: times in, times out.
 */
import { OUTBOUND_GIVE_UP_MS } from '../../../base/limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second, … failed attempt; the last one repeats. RFC 5321 §4.5.4.1 asks for patience. */
const WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const;
/** Nothing is ever put off for longer. */
export const LONGEST_WAIT_MS = 4 * HOUR_MS;

/** The failed attempt after which the sender is told of the delay: with the waits above, just before four hours. */
export const DELAY_NOTICE_ATTEMPT = WAITS_MS.length;

/** When to try again after this many failed attempts, or null when the time to give up has come. */
export function nextAttemptAt(createdAt: Date, attempts: number, now: Date): Date | null {
  const givesUpAt = createdAt.getTime() + OUTBOUND_GIVE_UP_MS;
  if (now.getTime() >= givesUpAt) return null;
  const wait = WAITS_MS[Math.max(0, attempts - 1)] ?? LONGEST_WAIT_MS;
  // The last try falls on the limit itself, so that no mail is given up earlier than promised.
  return new Date(Math.min(now.getTime() + wait, givesUpAt));
}
