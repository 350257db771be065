/**
 * Numbers about the queue for Prometheus: how long it is, how old, and what became of recipients. No names, no domains.
 */

import { counter, gauge } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { measureQueue } from './store.ts';
import type { Outcome } from './transport.ts';

/** Recipients that wait in the queue, and how long the oldest has waited, in seconds. */
async function queueGauges({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<{
  readonly length: number;
  readonly deferred: number;
  readonly oldestSeconds: number;
}> {
  const { length, deferred, oldest } = await measureQueue(db);
  const ageMs = oldest === null ? 0 : clock.now().getTime() - new Date(oldest).getTime();
  return { length, deferred, oldestSeconds: Math.max(0, ageMs / 1000) };
}

/** Lets the process's metrics read this queue. */
export function publishQueueGauges(deps: Pick<Deps, 'db' | 'clock'>): void {
  gauge(
    'keyfold_outbound_queue_recipients',
    'Recipients that wait in the outbound queue',
    async () => (await queueGauges(deps)).length,
  );
  gauge(
    'keyfold_outbound_queue_deferred_recipients',
    'Recipients in the outbound queue that an attempt has failed for',
    async () => (await queueGauges(deps)).deferred,
  );
  gauge(
    'keyfold_outbound_queue_oldest_seconds',
    'How long the oldest recipient has waited in the outbound queue',
    async () => (await queueGauges(deps)).oldestSeconds,
  );
}

const attempts = counter('keyfold_outbound_attempts_total', 'What became of outbound recipients', [
  'outcome',
]);

const tlsRefusals = counter(
  'keyfold_outbound_tls_failures_total',
  'Outbound recipients that wait because a server misses what its domain demands of TLS (dane, mta-sts)',
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
  'Recipients whose senders were told of a final failure',
  ['reason'],
);

/** refused: by the other side. expired: tried for as long as we try. dropped: by an admin. */
export const countBounce = (reason: 'dropped' | 'expired' | 'refused'): void => bounces.inc({ reason });

const lostForwards = counter(
  'keyfold_forwards_lost_total',
  'Role mail, or bounces of it, that was to be sent on and could not be delivered',
);

export const countLostForwards = (count: number): void => lostForwards.inc(count);
