// The main thread's way to the worker of an export. It joins the worker with the key worker by a port; mail and keys go
// between the workers alone.
import * as Comlink from 'comlink';
import type { ExportState, ExportWorker } from './export-worker.ts';
import workerUrl from './export-worker.ts?worker&url';
import { keys } from './key-client.ts';
import { startWorker } from './start-worker.ts';

export type { ExportExtras } from './export-archive.ts';
export type { ExportPlan } from './export-files.ts';
export type { ExportState } from './export-worker.ts';

export type RunningExport = {
  readonly remote: Comlink.Remote<ExportWorker>;
  /** What a closed tab left. */
  readonly found: ExportState | null;
};

/** Starts the worker. `onState` hears how the export stands. */
export async function startExport(onState: (state: ExportState) => void): Promise<RunningExport> {
  const remote = Comlink.wrap<ExportWorker>(startWorker(workerUrl, 'export'));
  const { port1, port2 } = new MessageChannel();
  await keys().openSearchPort(Comlink.transfer(port1, [port1]), 'export');
  const found = await remote.start(Comlink.transfer(port2, [port2]), Comlink.proxy(onState));
  return { remote, found };
}
