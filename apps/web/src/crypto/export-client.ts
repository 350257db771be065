// The main thread's client of the export worker. It connects the worker to the key worker by a
// port; mail and keys pass only between the workers.
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
  /** Calls the worker. Rejects if the worker is ended before it answers. */
  readonly ask: <T>(call: (remote: ExportRemote) => Promise<T>) => Promise<T>;
  /** The export that a closed tab left, or null. */
  readonly found: Promise<ExportState | null>;
  /** Ends the worker and discards its state. */
  readonly end: () => void;
};

/**
 * Starts the worker. `onState` receives the state of the export; null when another tab has removed
 * it.
 */
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
