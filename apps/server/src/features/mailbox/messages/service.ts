/**
 * The mailbox, for other features: storeMails is the only way in for inbound mail, sent copies,
 * drafts and notices; the functions that change or remove messages are exported from here. Keeps
 * counters, used bytes, arrival order and conversations consistent under each mailbox's lock. Knows
 * nothing about SMTP, HTTP or sealing.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { Trx } from '../../../db/pool.ts';
import { countMails, insertMails, insertReceipts, type MailRow, receiptKey } from './arrival-store.ts';
import { lockContainers } from './container-store.ts';
import { isNews, type NewMail } from './new-mail.ts';
import { type LockedMailbox, lockMailboxes } from './store.ts';
import { findTagsOf } from './tagging.ts';
import { findConversations } from './threads.ts';
import { wakeConversations } from './waking.ts';

export type StoredMail = {
  readonly userId: string;
  readonly id: string;
  /** The same object that the caller passed in. */
  readonly given: NewMail;
};

/**
 * Precedes every arrival time that a client can ask about, so that imported messages never count as
 * new.
 */
const QUIET_ARRIVAL = new Date(0);

/**
 * Stores messages in the caller's transaction, each in its mailbox, in the given order. Locks the
 * mailboxes in a global order, unless the caller has just locked them. Skips a delivery whose
 * receipt is known. A new message in a snoozed conversation ends its snoozing. Throws when a
 * mailbox or a container is gone.
 */
export async function storeMails(
  trx: Trx,
  mails: readonly NewMail[],
  locked?: readonly LockedMailbox[],
): Promise<StoredMail[]> {
  const userIds = [...new Set(mails.map(mail => mail.userId))].sort();
  const lastArrivals = new Map(
    (locked ?? (await lockMailboxes(trx, userIds))).map(box => [box.user_id, box.last_arrival]),
  );
  await lockContainers(
    trx,
    mails.flatMap(mail => (mail.attachments ?? []).map(({ blobId }) => blobId)),
  );
  const rows: MailRow[] = [];
  const given: NewMail[] = [];
  const tags = await findTagsOf(
    trx,
    mails.filter(mail => (mail.tagNames ?? []).length > 0).map(mail => mail.userId),
  );
  const fresh = await withoutRepeated(trx, mails);
  const threadIds = await findConversations(trx, fresh);
  for (const [index, mail] of fresh.entries()) {
    const last = lastArrivals.get(mail.userId);
    if (last === undefined) throw new Error('The mailbox no longer exists');
    const arrivedAt = mail.isQuiet ? QUIET_ARRIVAL : new Date(Math.max(Date.now(), last.getTime() + 1));
    if (!mail.isQuiet) lastArrivals.set(mail.userId, arrivedAt);
    const tagIds = tags.idsOf(mail.userId, mail.tagNames ?? []);
    given.push(mail);
    rows.push({ ...mail, id: randomUUIDv7(), arrivedAt, tagIds, threadId: threadIds[index] as string });
  }
  if (rows.length === 0) return [];
  await insertMails(trx, rows);
  const snoozers = await countMails(trx, rows);
  const news = rows.filter(mail => snoozers.has(mail.userId) && isNews(mail));
  for (const [userId, mails] of Map.groupBy(news, mail => mail.userId))
    await wakeConversations(
      trx,
      userId,
      mails.map(mail => mail.threadId),
    );
  return rows.map(({ userId, id }, index) => ({ userId, id, given: given[index] as NewMail }));
}

/** Returns the messages that were not delivered before, without duplicates. */
async function withoutRepeated(trx: Trx, mails: readonly NewMail[]): Promise<NewMail[]> {
  const receipts = mails.flatMap(({ userId, receiptDigest }) =>
    receiptDigest === undefined ? [] : [{ userId, digest: receiptDigest }],
  );
  const fresh = await insertReceipts(trx, receipts);
  return mails.filter(
    ({ userId, receiptDigest }) =>
      // Removing the key skips the second of two equal deliveries.
      receiptDigest === undefined || fresh.delete(receiptKey({ userId, digest: receiptDigest })),
  );
}
