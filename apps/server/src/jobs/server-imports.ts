/**
 * Runs pending imports: per process one PST file at a time, and several mailboxes of other
 * providers. Each poll considers all of them, the longest-waiting first.
 * features/imports/server-import reads them.
 */

import { IMAP_LANES } from '../base/import-limits.ts';
import type { Deps } from '../context/deps.ts';
import {
  createImapRunner,
  createPstRunner,
  type ImportRunner,
  tidyUpImports,
} from '../features/imports/server-import/index.ts';

export type ServerImportOptions = {
  /** Polling interval for pending imports. */
  readonly pollMs?: number;
};

const POLL_MS = 2_000;
const TIDY_EVERY_MS = 60 * 60 * 1000;

export type RunningServerImports = {
  /** Interrupts the running imports; the next process resumes them. */
  readonly close: () => Promise<void>;
};

/** Repeats a task until the signal aborts; resolves when the last run is over. */
async function repeat(
  { logger }: Deps,
  pollMs: number,
  signal: AbortSignal,
  look: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await look();
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'could not check pending imports');
    }
    const { promise: isOver, resolve: wake } = Promise.withResolvers<void>();
    const timer = setTimeout(wake, pollMs);
    timer.unref();
    const stop = () => wake();
    signal.addEventListener('abort', stop, { once: true });
    if (!signal.aborted) await isOver;
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

export function startServerImports(
  deps: Deps,
  { pollMs = POLL_MS }: ServerImportOptions = {},
): RunningServerImports {
  const stop = new AbortController();
  const { signal } = stop;
  const [pst, imap] = [createPstRunner(deps), createImapRunner(deps)];
  let tidiedAt = Number.NEGATIVE_INFINITY;
  const all = async (runner: ImportRunner): Promise<void> => {
    while (!signal.aborted && (await runner.runNext(signal)));
  };
  const tidy = async (): Promise<void> => {
    if (performance.now() - tidiedAt <= TIDY_EVERY_MS) return;
    tidiedAt = performance.now();
    await tidyUpImports(deps);
  };
  const lanes = [
    repeat(deps, pollMs, signal, async () => {
      await tidy();
      await all(pst);
    }),
    ...Array.from({ length: IMAP_LANES }, () => repeat(deps, pollMs, signal, () => all(imap))),
  ];
  return {
    close: async () => {
      stop.abort(new Error('The server is shutting down'));
      await Promise.all(lanes);
      await Promise.all([pst.close(), imap.close()]);
    },
  };
}
