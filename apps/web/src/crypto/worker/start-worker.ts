// Starts the app's own workers from bundles beside this page. A worker whose script fails to load
// because of a broken connection is started again; messages to it are queued until it is ready
// (serve-worker.ts).
import { scriptUrl } from '../../lib/script-url.ts';
import { CHUNK_RETRY_DELAYS_MS } from '../../timing.ts';
import { workerReady } from './worker-ready.ts';

/** A worker with the interface that Comlink and its owner need. */
class StartedWorker extends EventTarget {
  /** Called when it fails permanently. */
  onerror: (() => void) | null = null;
  /** Resolves when the script has loaded; rejects when loading has failed permanently. */
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
    // Prevents an unhandled rejection when the owner does not use the promise.
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
      // A runtime error has a message; a failure to load the script has none.
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

/** Starts the module worker at a URL from the build. */
export const startWorker = (url: string, name: string): StartedWorker =>
  new StartedWorker(() => new Worker(scriptUrl(url), { type: 'module', name }));
