// The last line of a worker's program: what it offers, and the word that it hears (start-worker.ts).
import * as Comlink from 'comlink';
import { workerReady } from './worker-ready.ts';

/** Offers functions to whoever started this worker. */
export function serveWorker(offered: object): void {
  Comlink.expose(offered);
  postMessage(workerReady);
}
