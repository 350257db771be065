/**
 * What happens to a sender's held copy: it is sent, or becomes a draft again. Recipients' copies
 * are not handled here, and features/outbound/sending decides.
 */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { updateTimes } from './change-store.ts';
import { changeFlags } from './flag-changes.ts';

/** Marks a held copy as sent. Throws not_found. */
export async function markSent(trx: Trx, userId: string, id: string): Promise<void> {
  await changeFlags(trx, userId, [id], { flags: { scheduled: false } });
  await updateTimes(trx, userId, id, null, undefined);
}

/**
 * Turns a held copy into a draft. Body, wrap, containers and headers stay, including Bcc
 * recipients, so that nothing that was written is lost. Throws not_found.
 */
export async function turnIntoDraft(trx: Trx, userId: string, id: string, now: Date): Promise<void> {
  const flags = { draft: true, read: true, sent: false, scheduled: false, public: false };
  await changeFlags(trx, userId, [id], { flags });
  await updateTimes(trx, userId, id, null, now);
}

/** Returns whether a user's message is a held sender's copy. The caller has the mailbox's lock. */
export const isHeldCopy = async (trx: Trx, userId: string, id: string): Promise<boolean> =>
  (await trx
    .selectFrom('mails')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(sql<SqlBool>`flags & ${FLAG_BITS.scheduled}::smallint <> 0`)
    .executeTakeFirst()) !== undefined;
