/**
 * The end of snoozing: mails come back into the inbox, unread, on top of every list they are in, and count as new for
 * who asks what is new. When their time has come is the jobs' business; an answer to them wakes them before.
 */
import type { Trx } from '../../../db/pool.ts';
import { moveToTop } from './change-store.ts';
import { changeFlags } from './marking.ts';
import { findSnoozed, lockMailboxes, touchMailbox } from './store.ts';

/** Wakes all these mails or none, at a time; returns how many. Throws not_found when one is not there or another user's. */
export async function wakeMails(trx: Trx, userId: string, ids: readonly string[], at: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const [box] = await lockMailboxes(trx, [userId]);
  const woken = await changeFlags(trx, userId, ids, {
    flags: { snoozed: false, read: false, archived: false },
  });
  // Arrivals of a mailbox never share a time, and never go back when a clock does.
  const firstMs = Math.max(Date.now(), (box?.last_arrival.getTime() ?? 0) + 1);
  const mails = ids.map((id, index) => ({ id, arrivedAt: new Date(firstMs + index) }));
  await moveToTop(trx, userId, mails, at);
  await touchMailbox(trx, userId, 0, mails.at(-1)?.arrivedAt);
  return woken;
}

/**
 * Brings what is snoozed of these conversations, to which mail has come, back into the inbox. The new mail is unread and
 * on top, and the conversation with it: the mails that waited keep their places and stay read.
 */
export async function wakeConversations(
  trx: Trx,
  userId: string,
  threadIds: readonly string[],
): Promise<void> {
  const ids = await findSnoozed(trx, userId, threadIds);
  if (ids.length > 0) await changeFlags(trx, userId, ids, { flags: { snoozed: false, archived: false } });
}
