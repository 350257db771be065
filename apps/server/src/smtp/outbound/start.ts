/**
 * Starts delivery to the outside: the queue's worker with SMTP as its transport, and the reports on how TLS went. For the
 * role `worker`.
 */
import type { Deps } from '../../deps.ts';
import { type QueueWorker, startQueueWorker, type WorkerOptions } from '../../features/delivery/service.ts';
import type { Ingest } from '../../features/ingest/service.ts';
import { createStsDesk, noteTlsResult } from '../../features/tls-policy/service.ts';
import { startReportRounds } from './report-rounds.ts';
import { withRests } from './rests.ts';
import type { NoteTls } from './tls-notes.ts';
import { createSmtpTransport } from './transport.ts';

/** Counts results without holding mail up; `settled` resolves when all are written. */
const createNotes = (deps: Deps): { readonly note: NoteTls; readonly settled: () => Promise<unknown> } => {
  const pending = new Set<Promise<void>>();
  return {
    note: result => {
      const writing = noteTlsResult(deps, result)
        .catch(error => deps.logger.warn({ err: error }, 'a result of TLS was not counted'))
        .finally(() => pending.delete(writing));
      pending.add(writing);
    },
    settled: () => Promise.all(pending),
  };
};

/** Starts the worker, which hands mail for this machine to `ingest`; close() ends what runs and keeps the rest for the next start. */
export const startDelivery = async (
  deps: Deps,
  ingest: Ingest,
  options?: WorkerOptions,
): Promise<QueueWorker> => {
  const { note, settled } = createNotes(deps);
  const transport = withRests(createSmtpTransport(deps, createStsDesk(deps), note), deps.clock);
  const worker = await startQueueWorker(deps, { transport, ingest }, options);
  const reports = startReportRounds(deps);
  return {
    close: async () => {
      await Promise.all([worker.close(), reports.close()]);
      await settled();
    },
  };
};
