/**
 * Deliveries in progress in this process: how much capacity they leave, and how each claim ends.
 *
 * [Note: Slow peers] SMTP lets a server take minutes for each reply. A delivery that has been
 * running for long gives its slot to another, so that a few stalled servers don't stall the queue.
 * The number of such deliveries is limited, and none may have a large message, because the message
 * is in memory the whole time. A destination with two slow deliveries gets no third one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment, Timers } from '../../../base/elapsed.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUnreachable } from '../../../db/pool.ts';
import { attemptDelivery, type Exits } from './attempt.ts';
import { holdLease } from './lease.ts';
import { postponeClaim, type QueuedRecipient, releaseLease } from './store.ts';

/** Number of slow deliveries at which a domain gets no more deliveries. */
const MAX_SLOW_PER_DOMAIN = 2;
/** A delivery of a message larger than this, in bytes, keeps its slot however slow it is. */
const SLOW_MAX_BYTES = 1024 * 1024;
/** Wait after an internal failure, such as a row that cannot be opened. */
const OWN_FAILURE_WAIT_MS = 300_000;
/** Wait after an attempt during which the database or another internal service was unreachable. */
const UNREACHABLE_WAIT_MS = 2_000;
/** Pause between attempts to release a claim while the database is unavailable. */
const GIVE_BACK_PAUSE_MS = 500;

export type Running = {
  readonly messageId: string;
  readonly domainDigest: Buffer;
  readonly startedAtMs: number;
  /** Size of the message, once it has been opened. */
  sizeBytes: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
};

/**
 * Limit of deliveries to one domain, the duration after which a delivery is slow, and how many slow
 * ones may run in addition to the others.
 */
type RoomLimits = { readonly maxPerDomain: number; readonly slowMs: number; readonly maxSlow: number };

/** Tracks the deliveries of this process and the capacity they leave ([Note: Slow peers]). */
export function createRunning({ maxPerDomain, slowMs, maxSlow }: RoomLimits) {
  const running = new Set<Running>();
  const isSlow = ({ startedAtMs }: Running): boolean => performance.now() - startedAtMs >= slowMs;
  return {
    running,
    /** Returns the number of deliveries that occupy a slot. */
    countPlaces: (): number => {
      const aside = [...running].filter(one => isSlow(one) && one.sizeBytes <= SLOW_MAX_BYTES).length;
      return running.size - Math.min(aside, maxSlow);
    },
    busyDomains: (): Buffer[] => {
      const shares = new Map<string, { all: number; slow: number }>();
      for (const one of running) {
        const name = one.domainDigest.toString('hex');
        const share = shares.get(name) ?? { all: 0, slow: 0 };
        shares.set(name, { all: share.all + 1, slow: share.slow + (isSlow(one) ? 1 : 0) });
      }
      return [...shares].flatMap(([name, { all, slow }]) =>
        all >= maxPerDomain || slow >= MAX_SLOW_PER_DOMAIN ? [Buffer.from(name, 'hex')] : [],
      );
    },
  };
}

type AttemptNeeds = {
  readonly deps: Deps;
  readonly exits: Exits;
  readonly leaseMs: number;
  readonly timers: Timers;
  readonly isClosing: () => boolean;
};

/** A claimed group of recipients. */
export type Claimed = {
  readonly rows: readonly QueuedRecipient[];
  readonly first: QueuedRecipient;
  readonly lease: Date;
  readonly begunAt: Moment;
};

/** Delivers a claimed group and ends its claim, whatever the result. */
export function createAttempts({ deps, exits, leaseMs, timers, isClosing }: AttemptNeeds) {
  /**
   * Ends a claim as soon as the database is available. Otherwise the message would wait until its
   * lease expires, minutes after the database is back.
   */
  const giveBack = async (work: () => Promise<void>): Promise<void> => {
    for (let waitedMs = 0; ; waitedMs += GIVE_BACK_PAUSE_MS) {
      try {
        return await work();
      } catch (error) {
        if (!isUnreachable(error) || isClosing() || waitedMs >= leaseMs) throw error;
        await sleep(GIVE_BACK_PAUSE_MS);
      }
    }
  };

  return async (
    { rows, first, lease, begunAt }: Claimed,
    abort: AbortController,
    onOpened: (sizeBytes: number) => void,
  ): Promise<void> => {
    const claim = { messageId: first.message_id, ids: rows.map(({ id }) => id), lease };
    const held = holdLease(deps, claim, { lengthMs: leaseMs, begunAt, timers }, () => abort.abort());
    try {
      await attemptDelivery(deps, exits, rows, held, abort.signal, onOpened);
    } catch (error) {
      const current = await held.stop();
      if (abort.signal.aborted) {
        await giveBack(() => releaseLease(deps.db, current));
        return;
      }
      deps.logger.error({ err: error, queueId: claim.messageId }, 'could not attempt a delivery');
      const waitMs = isUnreachable(error) ? UNREACHABLE_WAIT_MS : OWN_FAILURE_WAIT_MS;
      const until = new Date(deps.clock.now().getTime() + waitMs);
      await giveBack(() => postponeClaim(deps.db, current, until, 'failure'));
    } finally {
      await held.stop();
    }
  };
}
