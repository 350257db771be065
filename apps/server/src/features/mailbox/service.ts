/**
 * Puts mail into mailboxes: the one way in for inbound mail, sent copies, drafts and notices. It keeps counters, quota,
 * arrival order and conversations right under each mailbox's lock; it knows nothing of SMTP, HTTP or sealing.
 */
import { createHash, randomUUIDv7 } from 'node:crypto';
import type { Trx } from '../../db/pool.ts';
import { type NewMail, sizeOf } from './new-mail.ts';
import {
  ALL_MAILS,
  changeCounts,
  findThread,
  insertMail,
  insertReceipt,
  lockMailboxes,
  touchMailbox,
} from './store.ts';

export type { NewMail };
export type StoredMail = { readonly userId: string; readonly id: string };

/** The conversation of a message that answers nothing we have: the same for every order of arrival. */
const threadOf = (rootMessageId: string): string => {
  const hex = createHash('sha256').update('thread').update(rootMessageId).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/**
 * Stores mails in one transaction of the caller, each in its mailbox. Mailboxes are locked in order; a delivery whose
 * receipt is known is left out. Throws when a mailbox is gone.
 */
export const storeMails = async (trx: Trx, mails: readonly NewMail[]): Promise<StoredMail[]> => {
  const userIds = [...new Set(mails.map(mail => mail.userId))].sort();
  const locked = new Map((await lockMailboxes(trx, userIds)).map(box => [box.user_id, box]));
  const stored: StoredMail[] = [];
  for (const userId of userIds) {
    const box = locked.get(userId);
    if (box === undefined) throw new Error('A mailbox is gone');
    stored.push(
      ...(await storeInMailbox(
        trx,
        box.last_arrival,
        mails.filter(mail => mail.userId === userId),
      )),
    );
  }
  return stored;
};

const storeInMailbox = async (
  trx: Trx,
  lastArrival: Date,
  mails: readonly NewMail[],
): Promise<StoredMail[]> => {
  let arrival = lastArrival;
  const fresh: { readonly mail: NewMail; readonly id: string }[] = [];
  for (const mail of mails) {
    if (mail.receiptDigest !== undefined && !(await insertReceipt(trx, mail.userId, mail.receiptDigest)))
      continue;
    arrival = new Date(Math.max(Date.now(), arrival.getTime() + 1));
    const id = randomUUIDv7();
    await insertMail(trx, { ...mail, id, arrivedAt: arrival, threadId: await threadFor(trx, mail) });
    fresh.push({ mail, id });
  }
  const [first] = fresh;
  if (first === undefined) return [];
  const { userId } = first.mail;
  await changeCounts(
    trx,
    userId,
    fresh.map(({ mail }) => ({ tagId: ALL_MAILS, flags: mail.flags, change: 1 })),
  );
  await touchMailbox(
    trx,
    userId,
    fresh.reduce((sum, { mail }) => sum + sizeOf(mail), 0),
    arrival,
  );
  return fresh.map(({ id }) => ({ userId, id }));
};

/** A mail joins the conversation of the nearest mail it answers that is here, else the one its oldest reference names. */
const threadFor = async (trx: Trx, mail: NewMail): Promise<string> => {
  const nearestFirst = [...mail.references].reverse();
  return (await findThread(trx, mail.userId, nearestFirst)) ?? threadOf(mail.references[0] ?? mail.messageId);
};
