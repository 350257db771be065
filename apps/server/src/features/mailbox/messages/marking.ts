/**
 * Flags of mails: the one function through which they change, so that tag rows, counters and the mailbox's version
 * change with them. Which call may set which flag is the callers' business.
 */
import { AppError } from '@keyfold/contract/errors';
import { FLAG_BITS, type Flag, type FlagFilter } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { countTagBuckets, findMarks, type MarkedMail, type MarkTimes, updateMasks } from './change-store.ts';
import { ALL_MAILS, type CountChange, changeCounts, lockMailboxes, touchMailbox } from './store.ts';

/** What is to become of mails: flags to set (true) or clear (false), and the times that go with them. */
type FlagChange = MarkTimes & { readonly flags: FlagFilter };

const bitsThatAre = (flags: FlagFilter, value: boolean): number =>
  Object.entries(FLAG_BITS).reduce(
    (mask, [name, bit]) => (flags[name as Flag] === value ? mask | bit : mask),
    0,
  );

/**
 * Locks the user's mailbox and returns the marks of all these mails, repeated ids once. Throws not_found when one of
 * them is not there or another user's.
 */
export async function lockMails(
  trx: Trx,
  userId: string,
  ids: readonly string[],
): Promise<readonly MarkedMail[]> {
  const wanted = [...new Set(ids)];
  if (!wanted.every(isUuid)) throw new AppError('not_found');
  await lockMailboxes(trx, [userId]);
  const found = await findMarks(trx, userId, wanted);
  if (found.length !== wanted.length) throw new AppError('not_found');
  return found;
}

/**
 * Changes flags of all these mails or of none, and returns how many mails that are, changed or not. Throws not_found
 * when one of them is not there or another user's.
 */
export async function changeFlags(
  trx: Trx,
  userId: string,
  ids: readonly string[],
  change: FlagChange,
): Promise<number> {
  const found = await lockMails(trx, userId, ids);
  const set = bitsThatAre(change.flags, true);
  const clear = bitsThatAre(change.flags, false);
  const moved = (flags: number) => (flags & ~clear) | set;
  const isMoved = ({ flags }: MarkedMail) => moved(flags) !== flags;
  // Snoozing what is snoozed already moves its time alone.
  const changed = change.snoozedUntil instanceof Date ? found : found.filter(isMoved);
  if (changed.length === 0) return found.length;
  const changedIds = changed.map(mail => mail.id);
  const counts: CountChange[] = changed.flatMap(({ flags }) => [
    { tagId: ALL_MAILS, flags, change: -1 },
    { tagId: ALL_MAILS, flags: moved(flags), change: 1 },
  ]);
  for (const { tag_id, flags, total } of await countTagBuckets(trx, userId, changedIds)) {
    counts.push({ tagId: tag_id, flags, change: -total });
    counts.push({ tagId: tag_id, flags: moved(flags), change: total });
  }
  await updateMasks(trx, userId, changedIds, { set, clear }, change);
  await changeCounts(trx, userId, counts);
  await touchMailbox(trx, userId, 0);
  return found.length;
}
