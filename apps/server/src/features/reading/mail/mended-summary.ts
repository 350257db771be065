/**
 * Replaces summaries of stored messages that the client found wrong because an older decoder made
 * them from the same message. Only the owner's client can verify what is sealed in a summary; the
 * server replaces exactly the one that the client read.
 */
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import type { Deps } from '../../../context/deps.ts';
import { getFreeBytes } from '../../accounts/users/index.ts';
import { readSealedSummary, replaceSummary } from '../../mailbox/messages/index.ts';

/**
 * Replaces a received message's summary if its digest is still `was`; returns the number of changed
 * messages. Other devices are notified as of any change. Throws not_found, message_refused, and
 * quota_exceeded for a longer summary that does not fit.
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
