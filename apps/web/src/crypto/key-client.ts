// The main thread's way to the key worker. Every primitive runs there; here are only proxies (docs/spec-map.md 9).
import * as Comlink from 'comlink';
import type { KeyWorker } from './key-worker.ts';
import workerUrl from './key-worker.ts?worker&url';
import { KeysMissing } from './keys/keys-missing.ts';
import { startWorker } from './worker/start-worker.ts';

let worker: Comlink.Remote<KeyWorker> | null = null;

function start(): Comlink.Remote<KeyWorker> {
  const started = startWorker(workerUrl, 'keys');
  const came = started.came.catch(() => {
    // The next call starts another one: there may be a connection again.
    worker = null;
    started.terminate();
    throw new KeysMissing();
  });
  came.catch(() => undefined);
  return new Proxy(Comlink.wrap<KeyWorker>(started), {
    get: (remote, name) => {
      const call = Reflect.get(remote, name);
      // Said at once, so that calls keep their order; answered once there is somebody to answer, or never will be.
      return (...args: unknown[]) => {
        const answer = call(...args);
        return came.then(() => answer);
      };
    },
  });
}

/** The worker, started at first use. Its calls reject with KeysMissing when its program does not come. */
export function keys(): Comlink.Remote<KeyWorker> {
  worker ??= start();
  return worker;
}

/** Wipes the keys. Those of a program that never came are gone. */
export async function lockKeys(): Promise<void> {
  await keys()
    .lock()
    .catch((error: unknown) => {
      if (!(error instanceof KeysMissing)) throw error;
    });
}

/** A callback that the worker can call. */
export const callback = Comlink.proxy;
