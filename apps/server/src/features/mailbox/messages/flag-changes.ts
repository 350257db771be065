/**
 * The only function through which message flags change, so that tag rows, counters and the
 * mailbox's version change with them. Callers decide which call may set which flag.
 */
import { AppError } from '@keyfold/contract/errors';
import { FLAG_BITS, type Flag, type FlagFilter } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { isUuid } from '../../../db/uuid.ts';
import { countTagBuckets, type FlagTimes, findFlags, type MailFlags, updateMasks } from './change-store.ts';
import { ALL_MAILS, type CountChange, changeCounts, lockMailboxes, touchMailbox } from './store.ts';

/**
 * A change to messages: flags to set (true) or clear (false), and the times that accompany them.
 */
type FlagChange = FlagTimes & { readonly flags: FlagFilter };

const bitsThatAre = (flags: FlagFilter, value: boolean): number =>
  Object.entries(FLAG_BITS).reduce(
    (mask, [name, bit]) => (flags[name as Flag] === value ? mask | bit : mask),
    0,
  );

/**
 * Locks the user's mailbox and returns the masks and sizes of all these messages; duplicate ids are
 * returned once. Throws not_found when a message is missing or belongs to another user.
 */
export async function lockMails(
  trx: Trx,
  userId: string,
  ids: readonly string[],
): Promise<readonly MailFlags[]> {
  const wanted = [...new Set(ids)];
  if (!wanted.every(isUuid)) throw new AppError('not_found');
  await lockMailboxes(trx, [userId]);
  const found = await findFlags(trx, userId, wanted);
  if (found.length !== wanted.length) throw new AppError('not_found');
  return found;
}

/**
 * Changes flags of all these messages or of none. Returns the number of messages, changed or not.
 * Throws not_found when a message is missing or belongs to another user.
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
  const isMoved = ({ flags }: MailFlags) => moved(flags) !== flags;
  // Snoozing a snoozed message changes only its time.
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
