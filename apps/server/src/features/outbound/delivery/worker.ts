/**
 * Empties the outbound queue: claims what is due, several groups at a time but few for one destination, and lets
 * attempt.ts deliver each. Several processes may do so at once, and share what a destination gets ([Note: Shares of a domain]). It knows neither SMTP nor what a message says.
 */
import { MACHINE_TIMERS, markMoment, type Timers } from '../../../base/elapsed.ts';
import { SEND_HOLDS_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Exits } from './attempt.ts';
import { LONGEST_WAIT_MS } from './backoff.ts';
import { claimGroup } from './claim-store.ts';
import { publishQueueGauges } from './gauges.ts';
import { type Claimed, createAttempts, createRunning, type Running } from './running.ts';
import { onDeliverySignal } from './signal.ts';
import { bringForward, endAllClaims } from './store.ts';

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

/** Recipients of one SMTP transaction: every server takes this many. RFC 5321 §4.5.3.1.8. */
const GROUP_MAX_RECIPIENTS = 100;
/** How often waits are looked for that a clock which was ahead wrote down, and how long beyond the longest one is too long. */
const WAITS_CHECK_MS = 60_000;
const WAITS_SLACK_MS = 3_600_000;

export type QueueWorker = { readonly close: () => Promise<void> };

type Settings = Required<WorkerOptions>;

/** Does work when it is woken, once more if it is woken meanwhile, and never twice at a time. */
function createPump(work: () => Promise<void>, isClosing: () => boolean, onError: (error: unknown) => void) {
  let isWorking = false;
  let isWoken = false;
  let pumping = Promise.resolve();
  const pump = async (): Promise<void> => {
    isWorking = true;
    try {
      do {
        isWoken = false;
        await work();
      } while (isWoken && !isClosing());
    } finally {
      isWorking = false;
    }
  };
  return {
    wake: (): void => {
      if (isClosing()) return;
      if (isWorking) isWoken = true;
      else pumping = pump().catch(onError);
    },
    settled: () => pumping,
  };
}

/** Brings waits forward that a clock which was ahead wrote down. */
async function shortenWaits(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const after = (waitMs: number): Date => new Date(now.getTime() + waitMs + WAITS_SLACK_MS);
  await bringForward(deps.db, now, {
    latest: after(LONGEST_WAIT_MS),
    latestHeld: after(Math.max(...SEND_HOLDS_MS)),
  });
}

/** Starts emptying the queue; close() lets running deliveries end, briefly, and gives the rest back. */
export async function startQueueWorker(
  deps: Deps,
  exits: Exits,
  options: WorkerOptions = {},
): Promise<QueueWorker> {
  const settings: Settings = { ...DEFAULTS, ...options };
  const { pollMs, maxRunning, maxPerDomain, leaseMs, closeMs, isAlone, timers } = settings;
  const { running, countPlaces, busyDomains } = createRunning(settings);
  let isClosing = false;
  const attempt = createAttempts({ deps, exits, leaseMs, timers, isClosing: () => isClosing });

  const launch = (claimed: Claimed): void => {
    const abort = new AbortController();
    const entry: Running = {
      messageId: claimed.first.message_id,
      domainDigest: claimed.first.domain_digest,
      startedAtMs: performance.now(),
      sizeBytes: 0,
      abort,
      done: attempt(claimed, abort, sizeBytes => {
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
      launch({ rows, first, lease: leasedUntil, begunAt });
    }
  };

  const { wake, settled } = createPump(
    claimAll,
    () => isClosing,
    error => deps.logger.warn({ err: error }, 'the queue could not be read'),
  );
  const shorten = (): void => {
    shortenWaits(deps)
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
      await settled();
      const ended = Promise.all([...running].map(({ done }) => done));
      const deadline = setTimeout(() => {
        for (const { abort } of running) abort.abort();
      }, closeMs);
      await ended;
      clearTimeout(deadline);
    },
  };
}
