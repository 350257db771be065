/**
 * What becomes of a sender's copy that was held: it is sent, or a draft again. The mails of its readers are no concern of
 * this file, nor is who decides (features/outbound/sending).
 */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { updateTimes } from './change-store.ts';
import { changeFlags } from './marking.ts';

/** Marks a held copy as sent. Throws not_found. */
export async function markSent(trx: Trx, userId: string, id: string): Promise<void> {
  await changeFlags(trx, userId, [id], { flags: { scheduled: false } });
  await updateTimes(trx, userId, id, null, undefined);
}

/**
 * Makes a draft of a held copy: body, wrap, containers and headers stay, the hidden readers in them too, so that nothing
 * that was written is lost. Throws not_found.
 */
export async function turnIntoDraft(trx: Trx, userId: string, id: string, now: Date): Promise<void> {
  const flags = { draft: true, read: true, sent: false, scheduled: false, public: false };
  await changeFlags(trx, userId, [id], { flags });
  await updateTimes(trx, userId, id, null, now);
}

/** Whether a user's mail is a sender's copy that is held. The caller has the mailbox's lock. */
export const isHeldCopy = async (trx: Trx, userId: string, id: string): Promise<boolean> =>
  (await trx
    .selectFrom('mails')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(sql<SqlBool>`flags & ${FLAG_BITS.scheduled}::smallint <> 0`)
    .executeTakeFirst()) !== undefined;
