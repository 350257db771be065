/**
 * Numbers about the queue for Prometheus: how long it is, how old, and what became of recipients. No names, no domains.
 */
import type { Deps } from '../../deps.ts';
import { counter, gauge } from '../../metrics.ts';
import { measureQueue } from './store.ts';
import type { Outcome } from './transport.ts';

/** Recipients that wait in the queue, and how long the oldest has waited, in seconds. */
const queueGauges = async ({
  db,
  clock,
}: Pick<Deps, 'db' | 'clock'>): Promise<{ readonly length: number; readonly oldestSeconds: number }> => {
  const { length, oldest } = await measureQueue(db);
  const ageMs = oldest === null ? 0 : clock.now().getTime() - new Date(oldest).getTime();
  return { length, oldestSeconds: Math.max(0, ageMs / 1000) };
};

/** Lets the process's metrics read this queue. */
export const publishQueueGauges = (deps: Pick<Deps, 'db' | 'clock'>): void => {
  gauge(
    'keyfold_outbound_queue_recipients',
    'Recipients that wait in the outbound queue',
    async () => (await queueGauges(deps)).length,
  );
  gauge(
    'keyfold_outbound_queue_oldest_seconds',
    'How long the oldest recipient has waited in the outbound queue',
    async () => (await queueGauges(deps)).oldestSeconds,
  );
};

const attempts = counter('keyfold_outbound_attempts_total', 'What became of outbound recipients', [
  'outcome',
]);

export const countOutcomes = (outcomes: Iterable<Outcome>): void => {
  for (const { kind } of outcomes) attempts.inc({ outcome: kind });
};
