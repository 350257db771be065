// Starts the reading worker from the search or export worker, and connects it to the key worker by
// a port.
import * as Comlink from 'comlink';
import { startWorker } from '../worker/start-worker.ts';
import type { RunningReader } from './reading.ts';
import type { ReadingWorker } from './reading-worker.ts';
import workerUrl from './reading-worker.ts?worker&url';
import type { SearchPort } from './search-keys.ts';

/**
 * Starts a worker that reads messages. `keys` is the starting worker's connection to the key
 * worker.
 */
export function startReader(keys: Comlink.Remote<Pick<SearchPort, 'openReadingPort'>>): RunningReader {
  const worker = startWorker(workerUrl, 'reading');
  const remote = Comlink.wrap<ReadingWorker>(worker);
  const broken = new Promise<never>((_, reject) => {
    worker.onerror = () => reject(new Error('The reading worker failed'));
  });
  const { port1, port2 } = new MessageChannel();
  void keys.openReadingPort(Comlink.transfer(port1, [port1]));
  void remote.start(Comlink.transfer(port2, [port2]));
  return { remote, broken, end: () => worker.terminate() };
}
