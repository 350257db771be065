// Main-thread client of the search worker. It connects the search and key workers by a port and
// passes queries and IDs; texts and keys travel only between the workers.
import * as Comlink from 'comlink';
import { keys } from './key-client.ts';
import type { SearchState, SearchWorker } from './search/search-worker.ts';
import workerUrl from './search/search-worker.ts?worker&url';
import { endWithSession } from './worker/session-end.ts';
import { startWorker } from './worker/start-worker.ts';

export type { SearchState } from './search/search-worker.ts';

type Running = {
  readonly worker: ReturnType<typeof startWorker>;
  readonly remote: Comlink.Remote<SearchWorker>;
  readonly ready: Promise<void>;
};

let running: Running | null = null;
let listener: ((state: SearchState) => void) | null = null;

/** Starts the worker unless it is running. `onState` receives the state of the index. */
export function startSearch(onState: (state: SearchState) => void): void {
  if (running !== null) return;
  listener = onState;
  const worker = startWorker(workerUrl, 'search');
  const remote = Comlink.wrap<SearchWorker>(worker);
  const { port1, port2 } = new MessageChannel();
  const ready = keys()
    .openSearchPort(Comlink.transfer(port1, [port1]))
    .then(() => remote.start(Comlink.transfer(port2, [port2]), Comlink.proxy(onState)));
  ready.catch(() => undefined);
  running = { worker, remote, ready };
  endWithSession(stopSearch);
}

/** Returns the worker once its index is open. Rejects when it was not started or does not open. */
export async function searchIndex(): Promise<Comlink.Remote<SearchWorker>> {
  if (running === null) throw new Error('Search is not started');
  await running.ready;
  return running.remote;
}

/** Terminates the worker and forgets its state. */
function stopSearch(): void {
  running?.worker.terminate();
  running = null;
}

/** Restarts the worker after a session has ended, for the same user on the same page. */
export function resumeSearch(): void {
  if (running === null && listener !== null) startSearch(listener);
}
