/** Public interface of features/outbound/delivery. */
export {
  type DkimRecord,
  dkimRecords,
  forgetKeys,
  getSigningKey,
  keysOfDomain,
  makeNextKey,
  noteSeenKeys,
  type PublishedKey,
} from './domain-keys.ts';
export type { ReportedRecipient } from './dsn.ts';
export { deliverNow, dropMail, viewQueue } from './queue-view.ts';
export {
  dropOutbound,
  enqueueOutbound,
  heldRecipientsOf,
  holdOutbound,
  type OutboundMail,
  releaseOutbound,
} from './service.ts';
export { buildFailureNotice } from './settle.ts';
export { signalDelivery } from './signal.ts';
export type { Outcome, SigningKey, TlsPolicyName, Transmission, Transport } from './transport.ts';
export { type QueueWorker, startQueueWorker, type WorkerOptions } from './worker.ts';
