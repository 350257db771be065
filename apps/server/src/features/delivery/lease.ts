/**
 * Keeps a claim while a delivery lasts: renews its lease, and says so when another worker has taken over. See
 * [Note: Leases] in store.ts.
 */
import type { Deps } from '../../deps.ts';
import { type Claim, renewLease } from './store.ts';

/** Parts of a lease after which it is renewed: one renewal may fail without harm. */
const RENEWALS_PER_LEASE = 3;

export type HeldLease = {
  /** Ends the renewals and returns the claim as it stands in the database. */
  readonly stop: () => Promise<Claim>;
};

/** Holds a claim until stopped; `onLost` is called when its rows are no longer the claimer's. */
export const holdLease = (
  { db, clock, logger }: Deps,
  claim: Claim,
  leaseMs: number,
  onLost: () => void,
): HeldLease => {
  let current = claim;
  let pending = Promise.resolve();
  const renew = async (): Promise<void> => {
    const leasedUntil = new Date(clock.now().getTime() + leaseMs);
    if (leasedUntil.getTime() === current.lease.getTime()) return;
    try {
      const renewed = await renewLease(db, current, leasedUntil);
      current = { ...current, lease: leasedUntil };
      if (renewed < current.ids.length) onLost();
    } catch (error) {
      logger.warn({ err: error }, 'a lease could not be renewed');
    }
  };
  const timer = setInterval(() => {
    // One after the other: what stop() returns must be what the last statement wrote.
    pending = pending.then(renew);
  }, leaseMs / RENEWALS_PER_LEASE);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await pending;
      return current;
    },
  };
};
