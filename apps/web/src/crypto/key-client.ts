// Main-thread client of the key worker. All cryptographic primitives run in the worker; this module
// only proxies calls (docs/spec-map.md 9).
import * as Comlink from 'comlink';
import type { KeyWorker } from './key-worker.ts';
import workerUrl from './key-worker.ts?worker&url';
import { KeysMissing } from './keys/keys-missing.ts';
import { startWorker } from './worker/start-worker.ts';

let worker: Comlink.Remote<KeyWorker> | null = null;

function start(): Comlink.Remote<KeyWorker> {
  const started = startWorker(workerUrl, 'keys');
  const came = started.came.catch(() => {
    // The next call starts another worker, since the connection may be back.
    worker = null;
    started.terminate();
    throw new KeysMissing();
  });
  came.catch(() => undefined);
  return new Proxy(Comlink.wrap<KeyWorker>(started), {
    get: (remote, name) => {
      const call = Reflect.get(remote, name);
      // Sent immediately, so that calls keep their order; the promise settles once the worker has
      // loaded, or rejects if it never does.
      return (...args: unknown[]) => {
        const answer = call(...args);
        return came.then(() => answer);
      };
    },
  });
}

/**
 * Returns the worker, started on first use. Its calls reject with KeysMissing when its script
 * cannot be loaded.
 */
export function keys(): Comlink.Remote<KeyWorker> {
  worker ??= start();
  return worker;
}

/** Wipes the keys. A worker that never loaded holds none. */
export async function lockKeys(): Promise<void> {
  await keys()
    .lock()
    .catch((error: unknown) => {
      if (!(error instanceof KeysMissing)) throw error;
    });
}

/** Wraps a callback so that the worker can call it. */
export const callback = Comlink.proxy;
