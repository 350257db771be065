/**
 * The time for jobs that remove things for good. A clock that jumps ahead, by a wrong setting or a bad time server, would make
 * a day's mail old at once: it is believed when it has stood by its word for longer than a day. Until then nothing is due
 * whose time is not over both by the clock and by how time has passed, and what is due is removed a little late.
 */
import type { Clock } from '../adapters/clock.ts';
import type { Logger } from '../base/logger.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What clocks are set right by without a word. */
const TOLERATED_MS = 5 * MINUTE_MS;
/** Time for somebody to notice, and for a clock that is a day ahead to be set right. */
const DOUBTED_MS = 25 * HOUR_MS;

/** `elapsedMs` is time since any moment, which no setting of a clock moves. Its time begins with the clock's. */
export function createJumpGuardedClock(
  clock: Clock,
  logger: Pick<Logger, 'warn'>,
  elapsedMs: () => number = () => performance.now(),
): Clock {
  /** A moment as the clock had it when it was last believed, and as `elapsedMs` had it then. */
  let believed = { nowMs: clock.now().getTime(), atMs: elapsedMs() };
  /** Since when the clock says something else; null while it does not. */
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
        logger.warn({ aheadMs }, 'the clock jumped: nothing is removed before its time was over by both');
      }
      if (atMs - doubtedSinceMs >= DOUBTED_MS) return believe(nowMs, atMs);
      return new Date(Math.min(nowMs, expectedMs));
    },
  };
}
