/**
 * The end of snoozing: messages return to the inbox, unread, at the top of every list they are in,
 * and count as new for clients that check for new mail. The jobs handle messages that are due; a
 * reply ends snoozing earlier.
 */
import type { Trx } from '../../../db/pool.ts';
import { moveToTop } from './change-store.ts';
import { changeFlags } from './flag-changes.ts';
import { findSnoozed, lockMailboxes, touchMailbox } from './store.ts';

/**
 * Ends the snoozing of all these messages or of none, at a time. Returns how many. Throws not_found
 * when a message is missing or belongs to another user.
 */
export async function wakeMails(trx: Trx, userId: string, ids: readonly string[], at: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const [box] = await lockMailboxes(trx, [userId]);
  const woken = await changeFlags(trx, userId, ids, {
    flags: { snoozed: false, read: false, archived: false },
  });
  // Arrival times within a mailbox are unique and never go backwards, even if the clock does.
  const firstMs = Math.max(Date.now(), (box?.last_arrival.getTime() ?? 0) + 1);
  const mails = ids.map((id, index) => ({ id, arrivedAt: new Date(firstMs + index) }));
  await moveToTop(trx, userId, mails, at);
  await touchMailbox(trx, userId, 0, mails.at(-1)?.arrivedAt);
  return woken;
}

/**
 * Returns the snoozed messages of conversations that received new mail to the inbox. The new
 * message is unread and at the top, and so is its conversation; the snoozed messages keep their
 * positions and stay read.
 */
export async function wakeConversations(
  trx: Trx,
  userId: string,
  threadIds: readonly string[],
): Promise<void> {
  const ids = await findSnoozed(trx, userId, threadIds);
  if (ids.length > 0) await changeFlags(trx, userId, ids, { flags: { snoozed: false, archived: false } });
}
