/**
 * Prometheus metrics of pushes, by kind: devices, queue length and outcomes of attempts. They
 * contain no user data and no address of a push service.
 */
import { PUSH_KINDS, type PushKind, type PushOutcome } from '../../../adapters/push.ts';
import { counter, labeledGauge } from '../../../base/metrics.ts';
import type { Deps } from '../../../context/deps.ts';
import { countJobs } from './queue-store.ts';
import { countDevices } from './store.ts';

const attempts = counter('keyfold_push_attempts_total', 'Push attempts, by outcome', ['kind', 'outcome']);

export const countAttempt = (kind: PushKind, outcome: PushOutcome['kind']): void =>
  attempts.inc({ kind, outcome });

const ofAllKinds = (rows: readonly { readonly kind: PushKind; readonly total: number }[]) =>
  PUSH_KINDS.map(kind => ({ label: kind, value: rows.find(row => row.kind === kind)?.total ?? 0 }));

/** Registers gauges for devices and queue with the process's metrics. */
export function publishPushGauges({ db }: Pick<Deps, 'db'>): void {
  labeledGauge('keyfold_push_devices', 'Devices with push notifications, by kind', 'kind', async () =>
    ofAllKinds(await countDevices(db)),
  );
  labeledGauge('keyfold_push_waiting', 'Pending pushes, by kind of device', 'kind', async () =>
    ofAllKinds(await countJobs(db)),
  );
}
