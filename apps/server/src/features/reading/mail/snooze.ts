/**
 * Snoozing: hides messages until a time that the user chose. A mailbox job brings them back
 * (mailbox/messages/jobs.ts); ending the snooze by hand puts the message back in its previous
 * place.
 */
import { AppError } from '@keyfold/contract/errors';
import { SCHEDULE_MAX_DAYS } from '@keyfold/contract/limits';
import { hasFlag } from '../../../base/flags.ts';
import type { Deps } from '../../../context/deps.ts';
import { changeFlags, lockMails } from '../../mailbox/messages/index.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Deleted messages, drafts and scheduled messages have no place to return to. */
const REFUSED = ['deleted', 'draft', 'scheduled'] as const;

/**
 * Snoozes messages until a time, or ends the snooze when the time is null; returns how many
 * messages were named. Throws not_found, and snooze_refused for a time that is past or too far
 * ahead, and for messages that are deleted or not sent yet.
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
