/**
 * Parses one report at a time in its own thread, which is terminated afterwards. The thread has
 * limits of time and memory, so that a decompression bomb or XML that takes excessively long to
 * parse ends only that thread.
 */
import { Worker } from 'node:worker_threads';
import { REPORT_HEAP_MAX_MB, REPORT_TIMEOUT_MS } from '../../../base/limits.ts';
import type { ReadReport } from './read-worker.ts';

const BROKEN: ReadReport = { aggregates: [], complaint: null, isBroken: true };

/**
 * Returns the contents of the report in a message; `isBroken` is also set when parsing exceeded a
 * limit or the signal aborted it. Never rejects.
 */
export const readReport = (
  raw: Uint8Array,
  signal: AbortSignal,
  timeoutMs = REPORT_TIMEOUT_MS,
): Promise<ReadReport> =>
  new Promise(resolve => {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: REPORT_HEAP_MAX_MB },
      stdout: true,
      stderr: true,
    });
    const end = (report: ReadReport): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      resolve(report);
      worker.terminate().catch(() => undefined);
    };
    const stop = (): void => end(BROKEN);
    const timer = setTimeout(stop, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    worker.on('error', stop).once('exit', stop);
    worker.once('message', (report: ReadReport) => end(report));
    worker.postMessage(raw);
  });
