/**
 * Starts delivery to the outside: the queue's worker with SMTP as its transport. For the role `worker`.
 */
import type { Deps } from '../../deps.ts';
import { type QueueWorker, startQueueWorker, type WorkerOptions } from '../../features/delivery/service.ts';
import { createSmtpTransport } from './transport.ts';

/** Starts the worker; close() ends what runs and keeps the rest for the next start. */
export const startDelivery = (deps: Deps, options?: WorkerOptions): Promise<QueueWorker> =>
  startQueueWorker(deps, createSmtpTransport(deps), options);
