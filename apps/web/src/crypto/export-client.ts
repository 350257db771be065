// The main thread's way to the worker of an export. It joins the worker with the key worker by a port; mail and keys go
// between the workers alone.
import * as Comlink from 'comlink';
import type { ExportState } from './export/export-job.ts';
import type { ExportWorker } from './export/export-worker.ts';
import workerUrl from './export/export-worker.ts?worker&url';
import { keys } from './key-client.ts';
import { startWorker } from './worker/start-worker.ts';

export type { ExportExtras } from './export/export-archive.ts';
export type { ExportPlan } from './export/export-files.ts';
export type { ExportState } from './export/export-job.ts';

export type ExportRemote = Comlink.Remote<ExportWorker>;

export type RunningExport = {
  /** Asks the worker. Rejects when it was ended before it answered. */
  readonly ask: <T>(call: (remote: ExportRemote) => Promise<T>) => Promise<T>;
  /** What a closed tab left. */
  readonly found: Promise<ExportState | null>;
  /** Ends the worker and what it knows. */
  readonly end: () => void;
};

/** Starts the worker. `onState` hears how the export stands; null when another tab has removed it. */
export function startExport(onState: (state: ExportState | null) => void): RunningExport {
  const worker = startWorker(workerUrl, 'export');
  const remote = Comlink.wrap<ExportWorker>(worker);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const ask: RunningExport['ask'] = call => Promise.race([call(remote), ended]);
  const found = ask(async () => {
    const { port1, port2 } = new MessageChannel();
    await keys().openSearchPort(Comlink.transfer(port1, [port1]), 'export');
    return remote.start(Comlink.transfer(port2, [port2]), Comlink.proxy(onState));
  });
  const end = (): void => {
    worker.terminate();
    reject(new Error(''));
  };
  return { ask, found, end };
}
