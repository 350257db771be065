/**
 * Reads the PST files that wait, one at a time in each process: at each look all of them, the oldest first. How a file is
 * read is features/pst-import's.
 */
import type { Deps } from '../deps.ts';
import { createPstRunner } from '../features/pst-import/service.ts';

export type PstImportOptions = {
  /** How often one looks for files that wait. */
  readonly pollMs?: number;
};

const POLL_MS = 2_000;
const TIDY_EVERY_MS = 60 * 60 * 1000;

export type RunningPstImports = {
  /** Interrupts the file that is read now; the next process goes on with it. */
  readonly close: () => Promise<void>;
};

export const startPstImports = (
  deps: Deps,
  { pollMs = POLL_MS }: PstImportOptions = {},
): RunningPstImports => {
  const runner = createPstRunner(deps);
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let tidiedAt = Number.NEGATIVE_INFINITY;

  const look = async (): Promise<void> => {
    try {
      if (performance.now() - tidiedAt > TIDY_EVERY_MS) {
        tidiedAt = performance.now();
        await runner.tidyUp();
      }
      while (!stop.signal.aborted && (await runner.runNext(stop.signal)));
    } catch (error) {
      if (!stop.signal.aborted) deps.logger.warn({ err: error }, 'waiting imports could not be looked at');
    }
    if (stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = look();
    }, pollMs);
    timer.unref();
  };
  let running = look();

  return {
    close: async () => {
      stop.abort(new Error('The server is closing'));
      clearTimeout(timer);
      await running;
      await runner.close();
    },
  };
};
