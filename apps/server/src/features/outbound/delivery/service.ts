/**
 * Mail to the outside, for other features and rooms: putting it into the queue, the worker that empties it, the keys
 * that sign it, and how long the queue is. See worker.ts, settle.ts and domain-keys.ts.
 */

import { randomUUIDv7 } from 'node:crypto';
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { deleteHeld, findHeld, insertHeld, moveToQueue } from './held-store.ts';
import { digestDomain, openEnvelope, sealEnvelope, sealOutgoing } from './sealing.ts';
import { insertOutbound } from './store.ts';

export type OutboundMail = {
  /** Who is told of failures. */
  readonly userId: string;
  /** Envelope sender, normalised. */
  readonly sender: string;
  /** Envelope recipients, normalised. */
  readonly recipients: readonly string[];
  /** The message as it goes out, CRLF line ends, without DKIM-Signature. */
  readonly message: Uint8Array;
  /** Nobody here wrote it: it is not signed as ours, and its failure is told to nobody but the operator. */
  readonly isForward?: true;
};

type QueueDeps = Pick<Deps, 'masterKey' | 'clock'>;

/** The rows of a message, sealed: its bytes may be wiped afterwards. */
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

/** Queues a message in a transaction of the caller, sealed, and returns its id in the queue and in the log; call wakeDelivery once it is committed. */
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

/** Keeps a message sealed and out of the queue; returns the id by which it is released or dropped. */
export async function holdOutbound(deps: QueueDeps, trx: Trx, mail: OutboundMail): Promise<string> {
  const { message, recipients } = sealRows(deps, mail);
  await insertHeld(trx, message, recipients);
  return message.id;
}

/** Puts a held message into the queue; call wakeDelivery once that is committed. */
export const releaseOutbound = ({ clock }: QueueDeps, trx: Trx, messageId: string): Promise<void> =>
  moveToQueue(trx, messageId, clock.now());

/** Drops a held message: nobody outside gets it. */
export const dropOutbound = (trx: Trx, messageId: string): Promise<void> => deleteHeld(trx, messageId);

/** Who outside would get a held message. */
export const heldRecipientsOf = async (
  { masterKey }: QueueDeps,
  trx: Trx,
  messageId: string,
): Promise<string[]> =>
  (await findHeld(trx, messageId)).map(
    row => openEnvelope(masterKey, messageId, row.id, row.envelope_sealed).recipient,
  );
