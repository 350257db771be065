// The page's client of the import worker, which is connected to the key worker by a port.
import * as Comlink from 'comlink';
import type { ImportWorker } from './import/import-worker.ts';
import workerUrl from './import/import-worker.ts?worker&url';
import { keys } from './key-client.ts';
import { startWorker } from './worker/start-worker.ts';

export type RunningImport = {
  readonly remote: Comlink.Remote<ImportWorker>;
  /** Calls the worker once it is connected. Rejects if the worker is ended before it answers. */
  readonly ask: <T>(call: (remote: Comlink.Remote<ImportWorker>) => Promise<T>) => Promise<T>;
  /** Ends the worker and discards its state. */
  readonly end: () => void;
};

/** Starts a worker for one import. */
export function startImporter(): RunningImport {
  const worker = startWorker(workerUrl, 'import');
  const remote = Comlink.wrap<ImportWorker>(worker);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => undefined);
  const join = async (): Promise<void> => {
    const { port1, port2 } = new MessageChannel();
    await keys().openImportPort(Comlink.transfer(port1, [port1]));
    await remote.start(Comlink.transfer(port2, [port2]));
  };
  const joined = join();
  joined.catch(() => undefined);
  return {
    remote,
    ask: call => Promise.race([joined.then(() => call(remote)), ended]),
    end: () => {
      worker.terminate();
      reject(new Error(''));
    },
  };
}
