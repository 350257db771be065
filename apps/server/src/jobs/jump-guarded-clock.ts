/**
 * Clock for jobs that delete data permanently. A clock that jumps ahead, through a wrong setting or
 * a bad time server, would make a day's messages expire at once. A jump is therefore accepted only
 * after it has persisted for more than a day. Until then data is due only when it has expired by
 * both the clock and the elapsed time, so it is deleted a little late.
 */
import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../base/logger.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Correction of a clock that is accepted without a warning. */
const TOLERATED_MS = 5 * MINUTE_MS;
/** Time to notice the jump, and for a clock that is a day ahead to be corrected. */
const DOUBTED_MS = 25 * HOUR_MS;

/**
 * `elapsedMs` is the time since any fixed moment, unaffected by clock changes. The guarded clock
 * starts at the clock's time.
 */
export function createJumpGuardedClock(
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
  elapsedMs: () => number = () => performance.now(),
): Clock {
  /** The clock's time when it was last trusted, and the value of `elapsedMs` then. */
  let believed = { nowMs: clock.now().getTime(), atMs: elapsedMs() };
  /** Since when the clock has disagreed; null while it agrees. */
  let doubtedSinceMs: number | null = null;
  const believe = (nowMs: number, atMs: number): Date => {
    believed = { nowMs, atMs };
    doubtedSinceMs = null;
    return new Date(nowMs);
  };
  return {
    now: () => {
      const atMs = elapsedMs();
      const nowMs = clock.now().getTime();
      const expectedMs = believed.nowMs + atMs - believed.atMs;
      if (Math.abs(nowMs - expectedMs) <= TOLERATED_MS) return believe(nowMs, atMs);
      if (doubtedSinceMs === null) {
        doubtedSinceMs = atMs;
        const aheadMs = Math.round(nowMs - expectedMs);
        logger.warn({ aheadMs }, 'clock jumped, delaying removals until the earlier time agrees');
      }
      if (atMs - doubtedSinceMs >= DOUBTED_MS) return believe(nowMs, atMs);
      return new Date(Math.min(nowMs, expectedMs));
    },
  };
}
