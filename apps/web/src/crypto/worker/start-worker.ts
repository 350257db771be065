// Starts our own workers from bundles beside this page. One whose program did not come, because a connection broke, is started
// again; what is said to it waits until it hears (serve-worker.ts).
import { scriptUrl } from '../../lib/script-url.ts';
import { CHUNK_RETRY_DELAYS_MS } from '../../timing.ts';
import { workerReady } from './worker-ready.ts';

/** A worker as Comlink and its owner need one. */
class StartedWorker extends EventTarget {
  /** Called when it fails for good. */
  onerror: (() => void) | null = null;
  /** Fulfilled when its program has come; rejected when it did not, for good. */
  readonly came: Promise<void>;
  #settle: { readonly come: () => void; readonly miss: () => void } | undefined;
  readonly #start: () => Worker;
  readonly #delaysMs: number[] = [...CHUNK_RETRY_DELAYS_MS];
  #waiting: [unknown, Transferable[]][] | null = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #worker: Worker;

  constructor(start: () => Worker) {
    super();
    this.came = new Promise((come, miss) => {
      this.#settle = { come, miss };
    });
    // Not everybody who starts a worker asks.
    this.came.catch(() => undefined);
    this.#start = start;
    this.#worker = this.#listen(start());
  }

  #listen(worker: Worker): Worker {
    worker.onmessage = ({ data }) => {
      if (data === workerReady) this.#handOver();
      else this.dispatchEvent(new MessageEvent('message', { data }));
    };
    worker.onerror = event => {
      // What fails while it runs says what; a program that did not come says nothing.
      const hasCome = this.#waiting === null || 'message' in event;
      const delayMs = hasCome ? undefined : this.#delaysMs.shift();
      if (delayMs === undefined) {
        this.#settle?.miss();
        this.onerror?.();
      } else
        this.#timer = setTimeout(() => {
          this.#worker = this.#listen(this.#start());
        }, delayMs);
    };
    return worker;
  }

  #handOver(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#settle?.come();
    for (const [message, transfer] of waiting) this.#worker.postMessage(message, transfer);
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    if (this.#waiting === null) this.#worker.postMessage(message, transfer);
    else this.#waiting.push([message, transfer]);
  }

  terminate(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }
}

/** Starts the module worker at an address that the build made. */
export const startWorker = (url: string, name: string): StartedWorker =>
  new StartedWorker(() => new Worker(scriptUrl(url), { type: 'module', name }));
