/**
 * Prometheus metrics of the queue: its length, the age of its oldest entry, and outcomes of
 * recipients. Contains no names or domains.
 */

import { counter, gauge } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { measureQueue } from './store.ts';
import type { Outcome } from './transport.ts';

/** Returns the number of queued recipients and how long the oldest has waited, in seconds. */
async function queueGauges({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<{
  readonly length: number;
  readonly deferred: number;
  readonly oldestSeconds: number;
}> {
  const { length, deferred, oldest } = await measureQueue(db);
  const ageMs = oldest === null ? 0 : clock.now().getTime() - new Date(oldest).getTime();
  return { length, deferred, oldestSeconds: Math.max(0, ageMs / 1000) };
}

/** Publishes this queue's gauges in the process's metrics. */
export function publishQueueGauges(deps: Pick<Deps, 'db' | 'clock'>): void {
  gauge(
    'keyfold_outbound_queue_recipients',
    'Recipients in the outbound queue',
    async () => (await queueGauges(deps)).length,
  );
  gauge(
    'keyfold_outbound_queue_deferred_recipients',
    'Recipients in the outbound queue with a failed attempt',
    async () => (await queueGauges(deps)).deferred,
  );
  gauge(
    'keyfold_outbound_queue_oldest_seconds',
    'Age of the oldest recipient in the outbound queue',
    async () => (await queueGauges(deps)).oldestSeconds,
  );
}

const attempts = counter(
  'keyfold_outbound_attempts_total',
  'Delivery attempts of outbound recipients, by outcome',
  ['outcome'],
);

const tlsRefusals = counter(
  'keyfold_outbound_tls_failures_total',
  'Outbound recipients deferred because a server does not meet the TLS policy of its domain (dane, mta-sts)',
  ['policy'],
);

export function countOutcomes(outcomes: Iterable<Outcome>): void {
  for (const outcome of outcomes) {
    attempts.inc({ outcome: outcome.kind });
    if (outcome.kind !== 'delivered' && outcome.tlsPolicy !== undefined)
      tlsRefusals.inc({ policy: outcome.tlsPolicy });
  }
}

const bounces = counter(
  'keyfold_outbound_bounces_total',
  'Recipients whose senders were notified of a final failure',
  ['reason'],
);

/** refused: by the other server. expired: retries exhausted. dropped: by an admin. */
export const countBounce = (reason: 'dropped' | 'expired' | 'refused'): void => bounces.inc({ reason });

const lostForwards = counter(
  'keyfold_forwards_lost_total',
  'Forwarded role mail, or bounces of it, that could not be delivered',
);

export const countLostForwards = (count: number): void => lostForwards.inc(count);
