/**
 * Processes the outbound queue: claims due rows, several groups at a time but few per destination,
 * and passes each group to attempt.ts. Several processes may do so at once; they share each
 * destination's limit ([Note: Shares of a domain]). Knows neither SMTP nor message contents.
 */
import { MACHINE_TIMERS, markMoment, type Timers } from '../../../base/elapsed.ts';
import { SEND_HOLDS_MS } from '../../../base/sending-limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Exits } from './attempt.ts';
import { LONGEST_WAIT_MS } from './backoff.ts';
import { claimGroup } from './claim-store.ts';
import { publishQueueGauges } from './gauges.ts';
import { type Claimed, createAttempts, createRunning, type Running } from './running.ts';
import { onDeliverySignal } from './signal.ts';
import { bringForward, endAllClaims } from './store.ts';

export type WorkerOptions = {
  /** Interval at which the queue is polled without a signal. */
  readonly pollMs?: number;
  /** Maximum number of concurrent deliveries. */
  readonly maxRunning?: number;
  /** Maximum number of concurrent deliveries to one domain, across all processes. */
  readonly maxPerDomain?: number;
  /**
   * Duration after which a delivery counts as slow ([Note: Slow peers]), and how many slow ones may
   * run in addition to `maxRunning`.
   */
  readonly slowMs?: number;
  readonly maxSlow?: number;
  /** Duration of a claim unless renewed. After a crash, its messages wait that long. */
  readonly leaseMs?: number;
  /**
   * Whether no other process can hold claims. Remaining claims then belong to a dead process and
   * end immediately.
   */
  readonly isAlone?: boolean;
  /** How long closing waits for running deliveries before it aborts them. */
  readonly closeMs?: number;
  /** Clock source of this machine. Replaced only in tests. */
  readonly timers?: Timers;
};

/**
 * Maximum number of concurrent deliveries per process. Slow deliveries of small messages run in
 * addition.
 */
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

/**
 * Maximum number of recipients per SMTP transaction. Every server accepts this many (RFC 5321
 * §4.5.3.1.8).
 */
const GROUP_MAX_RECIPIENTS = 100;
/**
 * How often to look for waits recorded by a clock that was ahead, and how far beyond the longest
 * wait counts as excessive.
 */
const WAITS_CHECK_MS = 60_000;
const WAITS_SLACK_MS = 3_600_000;

export type QueueWorker = { readonly close: () => Promise<void> };

type Settings = Required<WorkerOptions>;

/** Runs work when woken, and once more if woken in the meantime, but never concurrently. */
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

/** Shortens waits that were recorded by a clock that was ahead. */
async function shortenWaits(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const after = (waitMs: number): Date => new Date(now.getTime() + waitMs + WAITS_SLACK_MS);
  await bringForward(deps.db, now, {
    latest: after(LONGEST_WAIT_MS),
    latestHeld: after(Math.max(...SEND_HOLDS_MS)),
  });
}

/**
 * Starts processing the queue. close() gives running deliveries a short time to finish and releases
 * the rest.
 */
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
        // Without the database the claim cannot be released; its lease expires by itself.
        .catch(error => deps.logger.error({ err: error }, 'could not release a claim'))
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
        // A renewal is due after a third of a lease. A lease whose renewal is late by half of that
        // no longer counts.
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
    error => deps.logger.warn({ err: error }, 'could not read the queue'),
  );
  const shorten = (): void => {
    shortenWaits(deps)
      .then(wake)
      .catch(error => deps.logger.debug({ err: error }, 'could not check the retry times'));
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
