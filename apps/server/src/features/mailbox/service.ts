/**
 * The mailbox, for other features: storeMails is the one way in for inbound mail, sent copies, drafts and notices, and
 * what changes or removes mail is exported from here. Counters, used bytes, arrival order and conversations are kept
 * right under each mailbox's lock; nothing here knows SMTP, HTTP or sealing.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { Trx } from '../../db/pool.ts';
import {
  type Container,
  containersOf,
  findReadable,
  findReferringMails,
  lockContainers,
} from './container-store.ts';
import { type NewMail, sizeOf } from './new-mail.ts';
import { ALL_MAILS, changeCounts, insertMail, insertReceipt, lockMailboxes, touchMailbox } from './store.ts';
import { threadFor } from './threads.ts';

export { discardContainer, storeContainer } from './containers.ts';
export { addContainer, lockDraft, removeContainer, replaceDraft } from './drafting.ts';
export { toMask } from './flags.ts';
export { changeFlags, type FlagChange, lockMails } from './marking.ts';
export { foldForSearch } from './people.ts';
export { removeMails } from './removal.ts';
export { replaceTags } from './tagging.ts';
export {
  ALL_MAILS,
  type Container,
  containersOf,
  findReadable,
  findReferringMails,
  lockMailboxes,
  type NewMail,
};
export type StoredMail = { readonly userId: string; readonly id: string };

/**
 * Stores mails in one transaction of the caller, each in its mailbox. Mailboxes are locked in order; a delivery whose
 * receipt is known is left out. Throws when a mailbox or a container is gone.
 */
export const storeMails = async (trx: Trx, mails: readonly NewMail[]): Promise<StoredMail[]> => {
  const userIds = [...new Set(mails.map(mail => mail.userId))].sort();
  const locked = new Map((await lockMailboxes(trx, userIds)).map(box => [box.user_id, box]));
  await lockContainers(
    trx,
    mails.flatMap(mail => (mail.attachments ?? []).map(({ blobId }) => blobId)),
  );
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
