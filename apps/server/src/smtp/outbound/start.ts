/**
 * Starts outbound delivery: the queue worker with SMTP as its transport, and the reports that other
 * domains request. For the role `worker`.
 */
import type { Deps } from '../../context/deps.ts';
import type { Ingest } from '../../features/inbound/ingest/index.ts';
import {
  type QueueWorker,
  startQueueWorker,
  type WorkerOptions,
} from '../../features/outbound/delivery/index.ts';
import { createMtaStsResolver, createTlsReporter } from '../../features/reports/tls-policy/index.ts';
import { withCircuitBreaker } from './circuit-breaker.ts';
import { startReportRounds } from './report-rounds.ts';
import { createSmtpTransport } from './transport.ts';

/**
 * Starts the worker, which passes mail for this server to `ingest`. close() stops running
 * deliveries; everything unfinished stays queued for the next start.
 */
export async function startDelivery(
  deps: Deps,
  ingest: Ingest,
  options?: WorkerOptions,
): Promise<QueueWorker> {
  const ledger = createTlsReporter(deps);
  const transport = withCircuitBreaker(
    createSmtpTransport(deps, createMtaStsResolver(deps), ledger.count),
    deps.clock,
  );
  const worker = await startQueueWorker(deps, { transport, ingest }, options);
  const reports = startReportRounds(deps);
  return {
    close: async () => {
      await Promise.all([worker.close(), reports.close()]);
      await ledger.close();
    },
  };
}
