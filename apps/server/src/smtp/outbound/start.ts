/**
 * Starts delivery to the outside: the queue's worker with SMTP as its transport. For the role `worker`.
 */
import type { Deps } from '../../deps.ts';
import { type QueueWorker, startQueueWorker, type WorkerOptions } from '../../features/delivery/service.ts';
import type { Ingest } from '../../features/ingest/service.ts';
import { createStsDesk } from '../../features/tls-policy/service.ts';
import { withRests } from './rests.ts';
import { createSmtpTransport } from './transport.ts';

/** Starts the worker, which hands mail for this machine to `ingest`; close() ends what runs and keeps the rest for the next start. */
export const startDelivery = (deps: Deps, ingest: Ingest, options?: WorkerOptions): Promise<QueueWorker> =>
  startQueueWorker(
    deps,
    { transport: withRests(createSmtpTransport(deps, createStsDesk(deps)), deps.clock), ingest },
    options,
  );
