/**
 * Snoozing: mail goes out of sight until a time that its reader chose. A job of the mailbox wakes it
 * (mailbox/messages/jobs.ts); ending the snoozing by hand puts the mail back where it was.
 */
import { AppError } from '@keyfold/contract/errors';
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { hasFlag } from '../../../base/flags.ts';
import type { Deps } from '../../../context/deps.ts';
import { changeFlags, lockMails } from '../../mailbox/messages/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Mail that is on its way out, or out already, has nothing to come back to. */
const REFUSED = ['deleted', 'draft', 'scheduled'] as const;

/**
 * Snoozes mails until a time, or ends it when that is null; returns how many were named. Throws not_found, and
 * snooze_refused for a time that is past or too far ahead, and for mail that is deleted or not sent yet.
 */
export async function snoozeMails(
  { db, clock }: Pick<Deps, 'clock' | 'db'>,
  userId: string,
  ids: readonly string[],
  until: Date | null,
): Promise<number> {
  const aheadMs = until === null ? null : until.getTime() - clock.now().getTime();
  if (aheadMs !== null && (aheadMs <= 0 || aheadMs > SCHEDULE_MAX_DAYS * DAY_MS))
    throw new AppError('snooze_refused');
  return db.transaction().execute(async trx => {
    const mails = await lockMails(trx, userId, ids);
    if (until === null) return changeFlags(trx, userId, ids, { flags: { snoozed: false } });
    if (mails.some(mail => REFUSED.some(flag => hasFlag(mail.flags, flag))))
      throw new AppError('snooze_refused');
    return changeFlags(trx, userId, ids, { flags: { snoozed: true }, snoozedUntil: until });
  });
}
