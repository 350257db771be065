// The main thread's way to the key worker. Every primitive runs there; here are only proxies (Spec §9, style 1.1).
import * as Comlink from 'comlink';
import type { KeyWorker } from './key-worker.ts';
import workerUrl from './key-worker.ts?worker&url';
import { startWorker } from './start-worker.ts';

let worker: Comlink.Remote<KeyWorker> | null = null;

/** The worker, started at first use. */
export function keys(): Comlink.Remote<KeyWorker> {
  worker ??= Comlink.wrap<KeyWorker>(startWorker(workerUrl, 'keys'));
  return worker;
}

/** A callback that the worker can call. */
export const callback = Comlink.proxy;
