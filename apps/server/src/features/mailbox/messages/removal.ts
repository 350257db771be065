/**
 * Permanently removes messages from a mailbox: rows, body, references to containers, counters.
 * Containers without remaining references are collected later (jobs.ts).
 */
import type { Trx } from '../../../db/pool.ts';
import { countTagBuckets, deleteMails } from './change-store.ts';
import { lockMails } from './flag-changes.ts';
import { ALL_MAILS, type CountChange, changeCounts, touchMailbox } from './store.ts';

/**
 * Removes all these messages or none. Returns how many. Throws not_found when a message is missing
 * or belongs to another user.
 */
export async function removeMails(trx: Trx, userId: string, ids: readonly string[]): Promise<number> {
  const found = await lockMails(trx, userId, ids);
  if (found.length === 0) return 0;
  const foundIds = found.map(mail => mail.id);
  const counts: CountChange[] = [
    ...found.map(({ flags }) => ({ tagId: ALL_MAILS, flags, change: -1 })),
    ...(await countTagBuckets(trx, userId, foundIds)).map(({ tag_id, flags, total }) => ({
      tagId: tag_id,
      flags,
      change: -total,
    })),
  ];
  await deleteMails(trx, userId, foundIds);
  await changeCounts(trx, userId, counts);
  await touchMailbox(trx, userId, -found.reduce((sum, mail) => sum + mail.size_bytes, 0));
  return found.length;
}
