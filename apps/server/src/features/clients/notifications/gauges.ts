/**
 * Numbers about pushes for Prometheus: devices, what waits, and what became of attempts, by kind. Nothing of people, and no
 * address of a push service.
 */
import { PUSH_KINDS, type PushKind, type PushOutcome } from '../../../adapters/push.ts';
import { counter, labeledGauge } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { countJobs } from './queue-store.ts';
import { countDevices } from './store.ts';

const attempts = counter('keyfold_push_attempts_total', 'What became of attempts to push', [
  'kind',
  'outcome',
]);

export const countAttempt = (kind: PushKind, outcome: PushOutcome['kind']): void =>
  attempts.inc({ kind, outcome });

const ofAllKinds = (rows: readonly { readonly kind: PushKind; readonly total: number }[]) =>
  PUSH_KINDS.map(kind => ({ label: kind, value: rows.find(row => row.kind === kind)?.total ?? 0 }));

/** Lets the process's metrics read devices and queue. */
export function publishPushGauges({ db }: Pick<Deps, 'db'>): void {
  labeledGauge('keyfold_push_devices', 'Devices that are pushed to, by kind', 'kind', async () =>
    ofAllKinds(await countDevices(db)),
  );
  labeledGauge('keyfold_push_waiting', 'Pushes that wait, by kind of device', 'kind', async () =>
    ofAllKinds(await countJobs(db)),
  );
}
