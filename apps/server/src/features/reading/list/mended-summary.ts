/**
 * Summaries of stored mail that their reader found wrong: an older decoder made them of the same message. What is sealed in
 * one only the owner's client can tell; here it takes the place of exactly the one that was read.
 */
import type { api, InputOf } from '@keyfold/contract';
import { sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Deps } from '../../../context/deps.ts';
import { lockMails, readSealedSummary, touchMailbox } from '../../mailbox/messages/index.ts';

/** Drafts and sent mail have summaries that their writer made, and notices have none. */
const WRITTEN_BITS = FLAG_BITS.draft | FLAG_BITS.sent;

/**
 * Replaces a received mail's summary while it is the one with the digest `was`; returns how many changed. Other devices hear
 * of it as of any change. Throws not_found, message_refused.
 */
export const mendSummary = (
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { email_id, summary, was }: InputOf<typeof api.mail.mend_summary>,
): Promise<number> => {
  const mended = readSealedSummary(summary);
  return db.transaction().execute(async trx => {
    await lockMails(trx, userId, [email_id]);
    const { numAffectedRows = 0n } = await sql`
      update mails set summary = ${mended}
      where user_id = ${userId} and id = ${email_id}::uuid and sha256(summary) = ${Buffer.from(was, 'base64')}
        and not is_alert and flags & ${WRITTEN_BITS}::smallint = 0`.execute(trx);
    if (numAffectedRows > 0n) await touchMailbox(trx, userId, 0);
    return Number(numAffectedRows);
  });
};
