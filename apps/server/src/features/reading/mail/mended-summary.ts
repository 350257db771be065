/**
 * Summaries of stored mail that their reader found wrong: an older decoder made them of the same message. What is sealed in
 * one only the owner's client can tell; here it takes the place of exactly the one that was read.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Deps } from '../../../context/deps.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import { readSealedSummary, replaceSummary } from '../../mailbox/messages/index.ts';

/**
 * Replaces a received mail's summary while it is the one with the digest `was`; returns how many changed. Other devices hear
 * of it as of any change. Throws not_found, message_refused, and quota_exceeded for a longer one that does not fit.
 */
export function mendSummary(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { email_id, summary, was }: InputOf<typeof api.mail.mend_summary>,
): Promise<number> {
  const mended = { summary: readSealedSummary(summary), was: Buffer.from(was, 'base64') };
  return db.transaction().execute(async trx => {
    const addedBytes = await replaceSummary(trx, userId, email_id, mended);
    if (addedBytes === null) return 0;
    if (addedBytes > 0 && (await getFreeBytes(trx, userId)) < 0) throw new AppError('quota_exceeded');
    return 1;
  });
}
