/**
 * Outbound mail for other features and layers: enqueueing, the worker that delivers, the signing
 * keys, and the length of the queue. See worker.ts, settle.ts and domain-keys.ts.
 */

import { randomUUIDv7 } from 'node:crypto';
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { deleteHeld, findHeld, insertHeld, moveToQueue } from './held-store.ts';
import { digestDomain, openEnvelope, sealEnvelope, sealOutgoing } from './sealing.ts';
import { insertOutbound } from './store.ts';

export type OutboundMail = {
  /** The user who is notified of failures. */
  readonly userId: string;
  /** Envelope sender, normalized. */
  readonly sender: string;
  /** Envelope recipients, normalized. */
  readonly recipients: readonly string[];
  /** The message as transmitted: CRLF line ends, without DKIM-Signature. */
  readonly message: Uint8Array;
  /**
   * The message was written elsewhere: it is not signed, and only the operator is notified of a
   * failure.
   */
  readonly isForward?: true;
};

type QueueDeps = Pick<Deps, 'masterKey' | 'clock'>;

/** Creates the sealed rows of a message. The caller may wipe its bytes afterwards. */
function sealRows({ masterKey, clock }: QueueDeps, mail: OutboundMail) {
  const messageId = randomUUIDv7();
  return {
    message: {
      id: messageId,
      user_id: mail.userId,
      message_sealed: sealOutgoing(masterKey, messageId, mail.message),
      is_forward: mail.isForward === true,
      created_at: clock.now(),
    },
    recipients: mail.recipients.map(recipient => {
      const id = randomUUIDv7();
      return {
        message_id: messageId,
        id,
        domain_digest: digestDomain(masterKey, domainOf(recipient)),
        envelope_sealed: sealEnvelope(masterKey, messageId, id, { sender: mail.sender, recipient }),
      };
    }),
  };
}

/**
 * Queues a message, sealed, in the caller's transaction. Returns its id in the queue and the log.
 * Call signalDelivery after the commit.
 */
export async function enqueueOutbound(deps: QueueDeps, trx: Trx, mail: OutboundMail): Promise<string> {
  const { message, recipients } = sealRows(deps, mail);
  const { created_at } = message;
  await insertOutbound(
    trx,
    message,
    recipients.map(row => ({ ...row, next_attempt_at: created_at, created_at })),
  );
  return message.id;
}

/**
 * Stores a message, sealed, outside the queue. Returns the id with which it is released or dropped.
 */
export async function holdOutbound(deps: QueueDeps, trx: Trx, mail: OutboundMail): Promise<string> {
  const { message, recipients } = sealRows(deps, mail);
  await insertHeld(trx, message, recipients);
  return message.id;
}

/** Moves a held message to the queue. Call signalDelivery after the commit. */
export const releaseOutbound = ({ clock }: QueueDeps, trx: Trx, messageId: string): Promise<void> =>
  moveToQueue(trx, messageId, clock.now());

/** Drops a held message, so that no external recipient gets it. */
export const dropOutbound = (trx: Trx, messageId: string): Promise<void> => deleteHeld(trx, messageId);

/** Returns the external recipients of a held message. */
export const heldRecipientsOf = async (
  { masterKey }: QueueDeps,
  trx: Trx,
  messageId: string,
): Promise<string[]> =>
  (await findHeld(trx, messageId)).map(
    row => openEnvelope(masterKey, messageId, row.id, row.envelope_sealed).recipient,
  );
