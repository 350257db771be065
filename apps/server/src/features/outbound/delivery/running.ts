/**
 * The deliveries that this process has under way: what room they leave for more, and how the claim of each ends.
 *
 * [Note: Slow peers] A server may take minutes for each answer, and SMTP lets it. A delivery that has gone on for long leaves its
 * place to another, so that a few servers that stop do not stop the queue; only so many may, and none with a large message,
 * which is in memory all the while. A destination that has two such deliveries is given no third.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Moment, Timers } from '../../../base/elapsed.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUnreachable } from '../../../db/pool.ts';
import { attemptDelivery, type Exits } from './attempt.ts';
import { holdLease } from './lease.ts';
import { postponeClaim, type QueuedRecipient, releaseLease } from './store.ts';

/** Slow deliveries to one domain at which it is given no more. */
const MAX_SLOW_PER_DOMAIN = 2;
/** A message larger than this keeps its place, however slow. */
const SLOW_MAX_BYTES = 1024 * 1024;
/** Wait after a failure of our own, such as a row that does not open. */
const OWN_FAILURE_WAIT_MS = 300_000;
/** Wait after an attempt in which the database, or another part of ours, could not be reached. */
const UNREACHABLE_WAIT_MS = 2_000;
/** Pause between two tries to give a claim back while the database is away. */
const GIVE_BACK_PAUSE_MS = 500;

export type Running = {
  readonly messageId: string;
  readonly domainDigest: Buffer;
  readonly startedAtMs: number;
  /** Of the message, once it is open. */
  sizeBytes: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
};

/** Deliveries to one domain, and when a delivery is a slow one; how many of those go on beside the others. */
type RoomLimits = { readonly maxPerDomain: number; readonly slowMs: number; readonly maxSlow: number };

/** The deliveries of this process, and what room they leave ([Note: Slow peers]). */
export function createRunning({ maxPerDomain, slowMs, maxSlow }: RoomLimits) {
  const running = new Set<Running>();
  const isSlow = ({ startedAtMs }: Running): boolean => performance.now() - startedAtMs >= slowMs;
  return {
    running,
    /** How many deliveries take a place. */
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

/** Delivers a claimed group, and ends its claim however that went. */
export function createAttempts({ deps, exits, leaseMs, timers, isClosing }: AttemptNeeds) {
  /** Ends a claim, as soon as the database can be asked: else its mail waits for the lease, minutes after the database is back. */
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
      deps.logger.error({ err: error, queueId: claim.messageId }, 'a delivery could not be attempted');
      const waitMs = isUnreachable(error) ? UNREACHABLE_WAIT_MS : OWN_FAILURE_WAIT_MS;
      const until = new Date(deps.clock.now().getTime() + waitMs);
      await giveBack(() => postponeClaim(deps.db, current, until, 'failure'));
    } finally {
      await held.stop();
    }
  };
}
