/**
 * Holds a claim during a delivery: renews its lease, and reports when another worker has taken
 * over. See [Note: Leases] in db/claim.ts.
 *
 * [Note: A worker that was stopped] A process may be stopped, or its machine suspended, and resume
 * long after its lease has expired and another worker has delivered the message. Before the other
 * server receives the complete message, the worker must therefore know that the claim is still its
 * own. It is if the lease was acquired or renewed less than half a lease ago, by both clocks of the
 * machine; otherwise a renewal asks the database. For a stop after that check and before the other
 * server's reply is recorded, see [Note: The lost 250].
 *
 * [Note: Renewals without an answer] A failed renewal may have been written all the same. The rows
 * then carry its time, which is the token of the claim. The next renewal therefore accepts rows
 * with any time that may have been written, and a claim is handed out for recording a result only
 * after a renewal was answered. Under the wrong time a delivery could not be recorded, and the
 * message would be delivered again.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { elapsedSince, type Moment, markMoment, type Timers } from '../../../base/elapsed.ts';
import type { Deps } from '../../../context/deps.ts';
import { type Claim, renewLease } from './store.ts';

/** Number of renewals per lease. One of them may fail without harm. */
const RENEWALS_PER_LEASE = 3;
/**
 * Number of attempts at the end to find out which time is in the rows, and the pause between them.
 */
const LAST_RENEWALS = 5;
const BETWEEN_LAST_MS = 1_000;

/** Length of a lease, and a moment before its claim was written. */
type LeaseTimes = {
  readonly lengthMs: number;
  readonly begunAt: Moment;
  readonly timers: Timers;
};

export type HeldLease = {
  /**
   * Returns whether the claim is certainly still ours. If that is false or cannot be determined,
   * the claim counts as lost.
   */
  readonly isStillOurs: () => Promise<boolean>;
  /** Ends the renewals and returns the claim as it is in the database. */
  readonly stop: () => Promise<Claim>;
};

/** Holds a claim until stopped. Calls `onLost` when another worker has taken its rows. */
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
  /** Times of unanswered renewals, which may be in the rows instead. */
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
      logger.warn({ err: error }, 'could not renew a lease');
    }
  };
  const renewNext = (): Promise<void> => {
    // Renewals run one after the other: stop() must return what the last statement wrote.
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
      // The caller that records the result owns the claim, so it must not be renewed any more.
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
