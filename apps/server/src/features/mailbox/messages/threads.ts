/**
 * Assigns messages to conversations: to that of the nearest referenced message that exists here,
 * otherwise to one derived from the oldest referenced Message-ID. Ignores subjects, which the
 * server does not know.
 */
import { createHash } from 'node:crypto';
import type { Trx } from '../../../db/pool.ts';
import type { NewMail } from './new-mail.ts';
import { findThread, findThreads } from './store.ts';

/**
 * Returns the conversation of a message that references no stored message: the same for every order
 * of arrival.
 */
function threadOf(rootMessageId: string): string {
  const hex = createHash('sha256').update('thread').update(rootMessageId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the thread_id for a message that arrives in its user's mailbox. */
export async function threadFor(trx: Trx, mail: NewMail): Promise<string> {
  const nearestFirst = [...mail.references].reverse();
  return (await findThread(trx, mail.userId, nearestFirst)) ?? threadOf(mail.references[0] ?? mail.messageId);
}

/**
 * Returns the conversations of messages that arrive together, in their order; a message may reply
 * to an earlier one of the batch that is not stored yet. Call it under the locks of their
 * mailboxes.
 */
export async function findConversations(trx: Trx, mails: readonly NewMail[]): Promise<string[]> {
  const stored = await findThreads(
    trx,
    mails.map(({ userId, references }) => ({ userId, messageIds: references })),
  );
  const found = new Map<string, string>();
  return mails.map((mail, index) => {
    const near = [...mail.references].reverse().find(id => found.has(`${mail.userId} ${id}`));
    const threadId =
      (near && found.get(`${mail.userId} ${near}`)) ||
      (stored[index] ?? threadOf(mail.references[0] ?? mail.messageId));
    found.set(`${mail.userId} ${mail.messageId}`, threadId);
    return threadId;
  });
}
