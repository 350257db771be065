/**
 * Mail to the outside, for other features and rooms: putting it into the queue, the worker that empties it, the keys
 * that sign it, and how long the queue is. See worker.ts, settle.ts and domain-keys.ts.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { Trx } from '../../db/pool.ts';
import type { Deps } from '../../deps.ts';
import { digestDomain, domainOf, sealEnvelope, sealOutgoing } from './sealing.ts';
import { insertOutbound } from './store.ts';

export { type DkimRecord, dkimRecords } from './domain-keys.ts';
export type { Outcome, SigningKey, Transmission, Transport } from './transport.ts';
export { wakeDelivery } from './wake.ts';
export { type QueueWorker, startQueueWorker, type WorkerOptions } from './worker.ts';

export type OutboundMail = {
  /** Who is told of failures. */
  readonly userId: string;
  /** Envelope sender, normalised. */
  readonly sender: string;
  /** Envelope recipients, normalised. */
  readonly recipients: readonly string[];
  /** The message as it goes out, CRLF line ends, without DKIM-Signature. */
  readonly message: Uint8Array;
};

/**
 * Queues a message in a transaction of the caller, sealed; call wakeDelivery once it is committed. The bytes may be
 * wiped afterwards.
 */
export const enqueueOutbound = async (
  { masterKey, clock }: Pick<Deps, 'masterKey' | 'clock'>,
  trx: Trx,
  mail: OutboundMail,
): Promise<void> => {
  const messageId = randomUUIDv7();
  const now = clock.now();
  await insertOutbound(
    trx,
    {
      id: messageId,
      user_id: mail.userId,
      message_sealed: sealOutgoing(masterKey, messageId, mail.message),
      created_at: now,
    },
    mail.recipients.map(recipient => {
      const id = randomUUIDv7();
      return {
        message_id: messageId,
        id,
        domain_digest: digestDomain(masterKey, domainOf(recipient)),
        envelope_sealed: sealEnvelope(masterKey, messageId, id, { sender: mail.sender, recipient }),
        next_attempt_at: now,
        created_at: now,
      };
    }),
  );
};
