/** Schedule for retrying temporary delivery failures and for giving up. Pure functions of time. */
import { OUTBOUND_GIVE_UP_MS } from '../../../base/sending-limits.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits after the first, second, … failed attempt; the last one repeats. Long waits follow RFC 5321
 * §4.5.4.1.
 */
const WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const;
/** Longest wait between two attempts. */
export const LONGEST_WAIT_MS = 4 * HOUR_MS;

/**
 * Number of failed attempts after which the sender is notified of the delay: with the waits above,
 * just before four hours.
 */
export const DELAY_NOTICE_ATTEMPT = WAITS_MS.length;

/**
 * Returns the time of the next attempt after this many failures, or null when it is time to give
 * up.
 */
export function nextAttemptAt(createdAt: Date, attempts: number, now: Date): Date | null {
  const givesUpAt = createdAt.getTime() + OUTBOUND_GIVE_UP_MS;
  if (now.getTime() >= givesUpAt) return null;
  const wait = WAITS_MS[Math.max(0, attempts - 1)] ?? LONGEST_WAIT_MS;
  // The last attempt falls exactly on the limit, so that no message is given up earlier than
  // promised.
  return new Date(Math.min(now.getTime() + wait, givesUpAt));
}
