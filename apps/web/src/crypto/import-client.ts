// The page's way to the import worker, which is joined with the key worker by a port.
import * as Comlink from 'comlink';
import type { ImportWorker } from './import-worker.ts';
import workerUrl from './import-worker.ts?worker&url';
import { keys } from './key-client.ts';
import { startWorker } from './start-worker.ts';

export type RunningImport = {
  readonly remote: Comlink.Remote<ImportWorker>;
  readonly end: () => void;
};

/** Starts a worker for one import. */
export async function startImporter(): Promise<RunningImport> {
  const worker = startWorker(workerUrl, 'import');
  const remote = Comlink.wrap<ImportWorker>(worker);
  const { port1, port2 } = new MessageChannel();
  await keys().openImportPort(Comlink.transfer(port1, [port1]));
  await remote.start(Comlink.transfer(port2, [port2]));
  return { remote, end: () => worker.terminate() };
}
