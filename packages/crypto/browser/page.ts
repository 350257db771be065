// Page of the Chromium tests. It starts the worker the way the product does, so that the tests also
// cover how the bundler handles workers and the fallbacks' dynamic imports.

import type { PrimitiveChoice } from '../src/primitives/select.ts';
import type { WorkerAnswer } from './worker.ts';

export type { WorkerAnswer } from './worker.ts';

declare global {
  interface Window {
    runVectorsInWorker(choice: PrimitiveChoice): Promise<WorkerAnswer>;
  }
}

window.runVectorsInWorker = choice =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = event => resolve(event.data);
    worker.onerror = event => reject(new Error(event.message));
    worker.postMessage(choice);
  });
