/**
 * Reads one report at a time in a thread of its own, which is ended afterwards: within bounds of time and memory, so that an
 * archive made to fill the memory, or XML made to take for ever, ends nothing but its own thread.
 */
import { Worker } from 'node:worker_threads';
import { REPORT_HEAP_MAX_MB, REPORT_TIMEOUT_MS } from '../../../base/limits.ts';
import type { ReadReport } from './read-worker.ts';

const BROKEN: ReadReport = { aggregates: [], complaint: null, isBroken: true };

/** What the report in a mail says; `isBroken` also when it took too much, or the signal ended it. Never rejects. */
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
