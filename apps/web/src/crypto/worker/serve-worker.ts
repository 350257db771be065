// The last line of a worker's script: exposes its functions and sends the ready message
// (start-worker.ts).
import * as Comlink from 'comlink';
import { workerReady } from './worker-ready.ts';

/** Exposes functions to the code that started this worker. */
export function serveWorker(offered: object): void {
  Comlink.expose(offered);
  postMessage(workerReady);
}
