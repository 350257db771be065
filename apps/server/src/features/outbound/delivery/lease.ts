/**
 * Keeps a claim while a delivery lasts: renews its lease, and says so when another worker has taken over. See
 * [Note: Leases] in store.ts.
 *
 * [Note: A worker that was stopped] A process may be stopped, or its machine suspended, and go on when its lease is long over and
 * another has delivered. So before the other server gets a message whole, the claim must be known to be ours: it is where the
 * lease was begun or renewed less than half of it ago, by both clocks of the machine; else the database is asked, by a
 * renewal. What stops after that and before the other side's answer is written down is as in [Note: The lost 250].
 *
 * [Note: Renewals without an answer] A renewal that failed may have been written all the same, and then the rows bear its time, which
 * is the token of the claim. So the next one takes rows with any time that may stand there, and a claim is handed out for writing a
 * result only after one was answered: under the wrong time a delivery could not be written down, and would be made again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedSince, type Moment, markMoment, type Timers } from '../../../base/elapsed.ts';
import type { Deps } from '../../../context/deps.ts';
import { type Claim, renewLease } from './store.ts';

/** Parts of a lease after which it is renewed: one renewal may fail without harm. */
const RENEWALS_PER_LEASE = 3;
/** How often the database is asked at the end what time stands in the rows, and how long it is left alone in between. */
const LAST_RENEWALS = 5;
const BETWEEN_LAST_MS = 1_000;

/** The length of a lease, and a moment before its claim was written. */
type LeaseTimes = {
  readonly lengthMs: number;
  readonly begunAt: Moment;
  readonly timers: Timers;
};

export type HeldLease = {
  /** Whether the claim is surely ours; when that is not so, or cannot be found out, it counts as lost. */
  readonly isStillOurs: () => Promise<boolean>;
  /** Ends the renewals and returns the claim as it stands in the database. */
  readonly stop: () => Promise<Claim>;
};

/** Holds a claim until stopped; `onLost` is called when its rows are no longer the claimer's. */
export function holdLease(
  { db, clock, logger }: Deps,
  claim: Claim,
  { lengthMs, begunAt, timers }: LeaseTimes,
  onLost: () => void,
): HeldLease {
  let current = claim;
  let renewedAt = begunAt;
  let isLost = false;
  let isStopped = false;
  /** Times that may stand in the rows instead, of renewals without an answer. */
  let unanswered: Date[] = [];
  let pending = Promise.resolve();
  const lose = (): void => {
    isLost = true;
    onLost();
  };
  const renew = async (): Promise<void> => {
    let leasedUntil: Date | undefined;
    try {
      await clock.whenSure?.();
      const at = markMoment(timers);
      leasedUntil = new Date(clock.now().getTime() + lengthMs);
      const renewed = await renewLease(db, current, leasedUntil, unanswered);
      current = { ...current, lease: leasedUntil };
      unanswered = [];
      renewedAt = at;
      if (renewed < current.ids.length) lose();
    } catch (error) {
      if (leasedUntil !== undefined) unanswered.push(leasedUntil);
      logger.warn({ err: error }, 'a lease could not be renewed');
    }
  };
  const renewNext = (): Promise<void> => {
    // One after the other: what stop() returns must be what the last statement wrote.
    pending = pending.then(renew);
    return pending;
  };
  const isSure = (): boolean => {
    const elapsedMs = elapsedSince(renewedAt, timers);
    return !isLost && elapsedMs !== null && elapsedMs < lengthMs / 2;
  };
  const timer = setInterval(() => void renewNext(), lengthMs / RENEWALS_PER_LEASE);
  timer.unref();
  return {
    isStillOurs: async () => {
      // Who writes the result has the claim: nothing may renew it any more.
      if (isStopped) return false;
      if (isSure()) return true;
      if (!isLost) await renewNext();
      if (isSure()) return true;
      if (!isLost) lose();
      return false;
    },
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      await pending;
      for (let left = LAST_RENEWALS; left > 0 && unanswered.length > 0 && !isLost; left--) {
        await renew();
        if (unanswered.length > 0) await sleep(BETWEEN_LAST_MS);
      }
      return current;
    },
  };
}
