/**
 * The service's time: the database's, carried on by this machine's monotonic clock.
 *
 * [Note: The service's time] Leases, sessions, codes and counts are written by one machine and compared by another, so all must
 * mean the same by now. Machines ask the database when they start and every half minute, and count on from the answer: what
 * their own clocks are set to, and set to later, changes nothing, and what they say agrees with now() in a statement. While the
 * database is away they count on by themselves. ADR 45.
 */
import { elapsedSince, MACHINE_TIMERS, type Moment, markMoment, type Timers } from '../base/elapsed.ts';
import type { Logger } from '../base/logger.ts';
import type { Clock } from './clock.ts';

const ASK_EVERY_MS = 30_000;
/** How often one looks whether this machine slept. */
const WATCH_MS = 1_000;
/** Questions at the start, of which the one that was answered soonest counts: the first has to connect. */
const FIRST_QUESTIONS = 3;
/** An answer that took longer says too little. */
const SLOW_MS = 5_000;
/** One that took no longer than this still tells whether the clock is right, to what a lease can bear. */
const SURE_MS = 30_000;
/** What the database is further off by, milliseconds, is no inaccuracy: its clock was set, or this machine slept. */
const JUMP_MS = 5_000;
/** From how far on, milliseconds, an operator is told that a machine's own clock is wrong. */
const WRONG_MS = 10_000;

export type ServiceClock = Required<Clock>;

export type ServiceClockOptions = {
  /** The database's time, milliseconds since 1970. */
  readonly ask: () => Promise<number>;
  readonly logger: Pick<Logger, 'debug' | 'warn'>;
  readonly timers?: Timers;
};

/** What an answer allows: the database's time less the monotonic one is somewhere in between. */
type Answer = { readonly lowMs: number; readonly highMs: number; readonly at: Moment };

const middleOf = ({ lowMs, highMs }: Answer): number => (lowMs + highMs) / 2;
const widthOf = ({ lowMs, highMs }: Answer): number => highMs - lowMs;

/** Starts the clock once the database has said what time it is; rejects when it does not. */
export async function startServiceClock({
  ask,
  logger,
  timers = MACHINE_TIMERS,
}: ServiceClockOptions): Promise<ServiceClock> {
  /** Null when the machine slept, or was set, between question and answer: which of them came before is not known. */
  const hear = async (): Promise<Answer | null> => {
    const sent = markMoment(timers);
    const toldMs = await ask();
    if (elapsedSince(sent, timers) === null) return null;
    const at = markMoment(timers);
    // The database said it at some moment between the two.
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
  /** When the database was heard last. */
  let heard = start.at;
  let askedAtMs = start.at.monotonicMs;
  let latestMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  const aheadMs = Math.round(start.at.wallMs - start.at.monotonicMs - offsetMs);
  if (Math.abs(aheadMs) > WRONG_MS)
    logger.warn({ aheadMs }, "this machine's clock is not the database's, which is gone by");

  /** Moves no further than the answer asks for: what it does not contradict stays as it is. */
  const follow = (answer: Answer): void => {
    const { lowMs, highMs, at } = answer;
    if (widthOf(answer) > SLOW_MS) {
      // It says too little to go by, and enough where it does not contradict what is gone by.
      const isBorneOut = lowMs <= offsetMs && offsetMs <= highMs;
      if (isBorneOut && widthOf(answer) <= SURE_MS) heard = at;
      return;
    }
    const nearestMs = Math.min(highMs, Math.max(lowMs, offsetMs));
    const byMs = nearestMs - offsetMs;
    if (Math.abs(byMs) > JUMP_MS) {
      logger.warn({ byMs: Math.round(byMs) }, 'the time of the service jumped');
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
    askNow().catch(error => logger.debug({ err: error }, 'the database did not say what time it is'));
  };
  const timer = setInterval(watch, WATCH_MS);
  timer.unref();

  return {
    now: () => {
      const nowMs = timers.monotonicMs() + offsetMs;
      // A small step back is waited out: nothing that is written down comes before what was written earlier.
      if (nowMs > latestMs || latestMs - nowMs > JUMP_MS) latestMs = nowMs;
      return new Date(latestMs);
    },
    whenSure: async () => {
      if (isSure()) return;
      await askNow();
      // The first may have joined a question from before the machine slept.
      if (!isSure()) await askNow();
      if (!isSure()) throw new Error('What time it is must be asked once more');
    },
    close: () => clearInterval(timer),
  };
}
