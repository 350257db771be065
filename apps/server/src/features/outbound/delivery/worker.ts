/**
 * Empties the outbound queue: claims what is due, several groups at a time but few for one destination, and lets
 * attempt.ts deliver each. Several processes may do so at once, and share what a destination gets ([Note: Shares of a domain]). It knows neither SMTP nor what a message says.
 *
 * [Note: Slow peers] A server may take minutes for each answer, and SMTP lets it. A delivery that has gone on for long leaves its
 * place to another, so that a few servers that stop do not stop the queue; only so many may, and none with a large message,
 * which is in memory all the while. A destination that has two such deliveries is given no third.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { MACHINE_TIMERS, type Moment, markMoment, type Timers } from '../../../base/elapsed.ts';
import { SEND_HOLDS_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { isUnreachable } from '../../../db/pool.ts';
import { attemptDelivery, type Exits } from './attempt.ts';
import { LONGEST_WAIT_MS } from './backoff.ts';
import { claimGroup } from './claim-store.ts';
import { publishQueueGauges } from './gauges.ts';
import { holdLease } from './lease.ts';
import { onDeliverySignal } from './signal.ts';
import { bringForward, endAllClaims, postponeClaim, type QueuedRecipient, releaseLease } from './store.ts';

export type WorkerOptions = {
  /** How often the queue is looked at without being woken. */
  readonly pollMs?: number;
  /** Deliveries at one time. */
  readonly maxRunning?: number;
  /** Deliveries to one domain at one time, of all processes together. */
  readonly maxPerDomain?: number;
  /** After how long a delivery is a slow one ([Note: Slow peers]), and how many of those go on beside `maxRunning`. */
  readonly slowMs?: number;
  readonly maxSlow?: number;
  /** How long a claim lasts unless renewed: after a crash its mail waits that long. */
  readonly leaseMs?: number;
  /** Whether no other process can have claims: those that are left are of one that died, and end at once. */
  readonly isAlone?: boolean;
  /** How long closing waits for running deliveries before it ends them. */
  readonly closeMs?: number;
  /** How time passes on this machine; only tests have other ones. */
  readonly timers?: Timers;
};

/** Deliveries of one process at one time; what is slow and small goes on beside them. */
export const DELIVERIES_AT_ONCE = 20;

const DEFAULTS = {
  pollMs: 5_000,
  maxRunning: DELIVERIES_AT_ONCE,
  maxPerDomain: 4,
  slowMs: 15_000,
  maxSlow: 80,
  leaseMs: 120_000,
  isAlone: false,
  closeMs: 5_000,
  timers: MACHINE_TIMERS,
} as const satisfies Required<WorkerOptions>;

/** Slow deliveries to one domain at which it is given no more. */
const MAX_SLOW_PER_DOMAIN = 2;
/** A message larger than this keeps its place, however slow. */
const SLOW_MAX_BYTES = 1024 * 1024;
/** Recipients of one SMTP transaction: every server takes this many. RFC 5321 §4.5.3.1.8. */
const GROUP_MAX_RECIPIENTS = 100;
/** Wait after a failure of our own, such as a row that does not open. */
const OWN_FAILURE_WAIT_MS = 300_000;
/** Wait after an attempt in which the database, or another part of ours, could not be reached. */
const UNREACHABLE_WAIT_MS = 2_000;
/** How often waits are looked for that a clock which was ahead wrote down, and how long beyond the longest one is too long. */
const WAITS_CHECK_MS = 60_000;
const WAITS_SLACK_MS = 3_600_000;
/** Pause between two tries to give a claim back while the database is away. */
const GIVE_BACK_PAUSE_MS = 500;

type Running = {
  readonly messageId: string;
  readonly domainDigest: Buffer;
  readonly startedAtMs: number;
  /** Of the message, once it is open. */
  sizeBytes: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
};

export type QueueWorker = { readonly close: () => Promise<void> };

/** Starts emptying the queue; close() lets running deliveries end, briefly, and gives the rest back. */
export async function startQueueWorker(
  deps: Deps,
  exits: Exits,
  options: WorkerOptions = {},
): Promise<QueueWorker> {
  const { pollMs, maxRunning, maxPerDomain, slowMs, maxSlow, leaseMs, closeMs, isAlone, timers } = {
    ...DEFAULTS,
    ...options,
  };
  const running = new Set<Running>();
  let isClosing = false;
  let isClaiming = false;
  let isWoken = false;

  const isSlow = ({ startedAtMs }: Running): boolean => performance.now() - startedAtMs >= slowMs;
  /** How many deliveries take a place. */
  const countPlaces = (): number => {
    const aside = [...running].filter(one => isSlow(one) && one.sizeBytes <= SLOW_MAX_BYTES).length;
    return running.size - Math.min(aside, maxSlow);
  };

  const busyDomains = (): Buffer[] => {
    const shares = new Map<string, { all: number; slow: number }>();
    for (const one of running) {
      const name = one.domainDigest.toString('hex');
      const share = shares.get(name) ?? { all: 0, slow: 0 };
      shares.set(name, { all: share.all + 1, slow: share.slow + (isSlow(one) ? 1 : 0) });
    }
    return [...shares].flatMap(([name, { all, slow }]) =>
      all >= maxPerDomain || slow >= MAX_SLOW_PER_DOMAIN ? [Buffer.from(name, 'hex')] : [],
    );
  };

  /** Ends a claim, as soon as the database can be asked: else its mail waits for the lease, minutes after the database is back. */
  const giveBack = async (work: () => Promise<void>): Promise<void> => {
    for (let waitedMs = 0; ; waitedMs += GIVE_BACK_PAUSE_MS) {
      try {
        return await work();
      } catch (error) {
        if (!isUnreachable(error) || isClosing || waitedMs >= leaseMs) throw error;
        await sleep(GIVE_BACK_PAUSE_MS);
      }
    }
  };

  const run = async (
    rows: readonly QueuedRecipient[],
    lease: Date,
    begunAt: Moment,
    abort: AbortController,
    onOpened: (sizeBytes: number) => void,
  ): Promise<void> => {
    const claim = { messageId: rows[0]?.message_id ?? '', ids: rows.map(({ id }) => id), lease };
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

  const launch = (
    rows: readonly QueuedRecipient[],
    first: QueuedRecipient,
    lease: Date,
    begunAt: Moment,
  ): void => {
    const abort = new AbortController();
    const entry: Running = {
      messageId: first.message_id,
      domainDigest: first.domain_digest,
      startedAtMs: performance.now(),
      sizeBytes: 0,
      abort,
      done: run(rows, lease, begunAt, abort, sizeBytes => {
        entry.sizeBytes = sizeBytes;
      })
        // Without the database nothing can be given back: the lease ends by itself.
        .catch(error => deps.logger.error({ err: error }, 'a claim could not be given back'))
        .then(() => {
          running.delete(entry);
          wake();
        }),
    };
    running.add(entry);
  };

  const claimAll = async (): Promise<void> => {
    while (!isClosing && countPlaces() < maxRunning) {
      await deps.clock.whenSure?.();
      const begunAt = markMoment(timers);
      const now = deps.clock.now();
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const rows = await claimGroup(deps.db, {
        now,
        leasedUntil,
        maxRecipients: GROUP_MAX_RECIPIENTS,
        busyDomains: busyDomains(),
        maxPerDomain,
        // A renewal is due after a third: one that is late by half of that counts no more.
        aliveUntil: new Date(now.getTime() + leaseMs / 2),
        running: [...running],
      });
      const [first] = rows;
      if (first === undefined) return;
      launch(rows, first, leasedUntil, begunAt);
    }
  };

  const pump = async (): Promise<void> => {
    isClaiming = true;
    try {
      do {
        isWoken = false;
        await claimAll();
      } while (isWoken && !isClosing);
    } finally {
      isClaiming = false;
    }
  };

  let pumping = Promise.resolve();
  const wake = (): void => {
    if (isClosing) return;
    if (isClaiming) {
      isWoken = true;
      return;
    }
    pumping = pump().catch(error => deps.logger.warn({ err: error }, 'the queue could not be read'));
  };

  const shorten = (): void => {
    const now = deps.clock.now();
    const after = (waitMs: number): Date => new Date(now.getTime() + waitMs + WAITS_SLACK_MS);
    bringForward(deps.db, now, {
      latest: after(LONGEST_WAIT_MS),
      latestHeld: after(Math.max(...SEND_HOLDS_MS)),
    })
      .then(wake)
      .catch(error => deps.logger.debug({ err: error }, 'waits could not be looked at'));
  };

  if (isAlone) await endAllClaims(deps.db);
  publishQueueGauges(deps);
  const stopListening = onDeliverySignal(deps.db, wake);
  const timer = setInterval(wake, pollMs);
  timer.unref();
  const shortener = setInterval(shorten, WAITS_CHECK_MS);
  shortener.unref();
  shorten();
  wake();

  return {
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      clearInterval(shortener);
      stopListening();
      await pumping;
      const ended = Promise.all([...running].map(({ done }) => done));
      const deadline = setTimeout(() => {
        for (const { abort } of running) abort.abort();
      }, closeMs);
      await ended;
      clearTimeout(deadline);
    },
  };
}
