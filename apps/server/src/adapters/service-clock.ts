/**
 * The service's time: the database's time, advanced by this machine's monotonic clock.
 *
 * [Note: The service's time] One machine writes leases, sessions, codes and counts, and another
 * compares them, so all machines must agree on the current time. Each machine queries the database
 * at its start and every half minute, and counts on from the response with its monotonic clock. The
 * setting of its own wall clock, and later changes to it, have no effect, and its time agrees with
 * now() in a statement. While the database is unavailable, machines count on by themselves. ADR 45.
 */
import { elapsedSince, MACHINE_TIMERS, type Moment, markMoment, type Timers } from '../base/elapsed.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from './clock.ts';

const ASK_EVERY_MS = 30_000;
/** Interval for checking whether this machine was suspended, in milliseconds. */
const WATCH_MS = 1_000;
/** Queries at the start, of which the fastest counts: the first one has to connect. */
const FIRST_QUESTIONS = 3;
/** A response that took longer than this is too imprecise to adjust the clock. */
const SLOW_MS = 5_000;
/**
 * A response that took no longer than this can still confirm the clock, within the error that a
 * lease tolerates.
 */
const SURE_MS = 30_000;
/**
 * Deviation from the database above which its clock was set or this machine was suspended, in
 * milliseconds; smaller deviations are imprecision.
 */
const JUMP_MS = 5_000;
/**
 * Deviation from which the operator is warned that the machine's own clock is wrong, in
 * milliseconds.
 */
const WRONG_MS = 10_000;

export type ServiceClock = Required<Clock>;

export type ServiceClockOptions = {
  /** Returns the database's time in milliseconds since 1970. */
  readonly ask: () => Promise<number>;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  readonly timers?: Timers;
};

/** The bounds from one response: the database's time minus the monotonic time is between them. */
type Answer = { readonly lowMs: number; readonly highMs: number; readonly at: Moment };

const middleOf = ({ lowMs, highMs }: Answer): number => (lowMs + highMs) / 2;
const widthOf = ({ lowMs, highMs }: Answer): number => highMs - lowMs;

/** Starts the clock once the database has returned its time; rejects when it does not. */
export async function startServiceClock({
  ask,
  logger,
  timers = MACHINE_TIMERS,
}: ServiceClockOptions): Promise<ServiceClock> {
  /** Returns null when the machine was suspended or its clock set between query and response. */
  const hear = async (): Promise<Answer | null> => {
    const sent = markMoment(timers);
    const toldMs = await ask();
    if (elapsedSince(sent, timers) === null) return null;
    const at = markMoment(timers);
    // The database read its clock at some moment between the two.
    return { lowMs: toldMs - at.monotonicMs, highMs: toldMs - sent.monotonicMs, at };
  };

  const first = async (): Promise<Answer> => {
    const answers: Answer[] = [];
    while (answers.length < FIRST_QUESTIONS) {
      const answer = await hear();
      if (answer !== null) answers.push(answer);
    }
    return answers.reduce((best, one) => (widthOf(one) < widthOf(best) ? one : best));
  };

  const start = await first();
  let offsetMs = middleOf(start);
  /** Time of the database's last usable response. */
  let heard = start.at;
  let askedAtMs = start.at.monotonicMs;
  let latestMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  const aheadMs = Math.round(start.at.wallMs - start.at.monotonicMs - offsetMs);
  if (Math.abs(aheadMs) > WRONG_MS)
    logger.warn({ aheadMs }, 'clock differs from the database, using the database time');

  /**
   * Adjusts the offset only as far as the response requires: an offset within its bounds stays
   * unchanged.
   */
  const follow = (answer: Answer): void => {
    const { lowMs, highMs, at } = answer;
    if (widthOf(answer) > SLOW_MS) {
      // The response is too imprecise to adjust the clock, but confirms it when the offset is
      // within its bounds.
      const isBorneOut = lowMs <= offsetMs && offsetMs <= highMs;
      if (isBorneOut && widthOf(answer) <= SURE_MS) heard = at;
      return;
    }
    const nearestMs = Math.min(highMs, Math.max(lowMs, offsetMs));
    const byMs = nearestMs - offsetMs;
    if (Math.abs(byMs) > JUMP_MS) {
      logger.warn({ byMs: Math.round(byMs) }, 'service time jumped');
      offsetMs = middleOf(answer);
    } else offsetMs = nearestMs;
    heard = at;
  };

  const askNow = (): Promise<void> => {
    askedAtMs = timers.monotonicMs();
    asking ??= hear()
      .then(answer => {
        if (answer !== null) follow(answer);
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  };

  const isSure = (): boolean => elapsedSince(heard, timers) !== null;

  const watch = (): void => {
    const waitMs = isSure() ? ASK_EVERY_MS : WATCH_MS;
    if (timers.monotonicMs() - askedAtMs < waitMs) return;
    askNow().catch(error => logger.debug({ err: error }, 'database time unavailable'));
  };
  const timer = setInterval(watch, WATCH_MS);
  timer.unref();

  return {
    now: () => {
      const nowMs = timers.monotonicMs() + offsetMs;
      // The clock pauses instead of stepping back a little, so that no later timestamp precedes an
      // earlier one.
      if (nowMs > latestMs || latestMs - nowMs > JUMP_MS) latestMs = nowMs;
      return new Date(latestMs);
    },
    whenSure: async () => {
      if (isSure()) return;
      await askNow();
      // The first call may have joined a query from before the machine was suspended.
      if (!isSure()) await askNow();
      if (!isSure()) throw new Error('The database time is unavailable. Try again.');
    },
    close: () => clearInterval(timer),
  };
}
