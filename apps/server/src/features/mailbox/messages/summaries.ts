/**
 * The only part of a stored message that its owner's client may replace: the sealed summary. It
 * counts against the quota like all stored data of a message, so the message's size and the
 * mailbox's change with it.
 */
import { sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import { addToSize } from './change-store.ts';
import { lockMails } from './flag-changes.ts';
import { touchMailbox } from './store.ts';

/** The writer's client creates the summaries of drafts and sent messages; notices have none. */
const WRITTEN_BITS = FLAG_BITS.draft | FLAG_BITS.sent;

/**
 * Replaces a received message's summary if the stored one has this SHA-256. Returns by how many
 * bytes it grew, or null when another is stored or the message has no replaceable summary. Throws
 * not_found.
 */
export async function replaceSummary(
  trx: Trx,
  userId: string,
  id: string,
  { summary, was }: { readonly summary: Buffer; readonly was: Buffer },
): Promise<number | null> {
  await lockMails(trx, userId, [id]);
  const { rows } = await sql<{ bytes: number }>`
    select octet_length(summary) as bytes from mails
    where user_id = ${userId} and id = ${id}::uuid and sha256(summary) = ${was}
      and not is_alert and flags & ${WRITTEN_BITS}::smallint = 0`.execute(trx);
  const stored = rows[0];
  if (stored === undefined) return null;
  const addedBytes = summary.length - stored.bytes;
  await trx
    .updateTable('mails')
    .set({ summary })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  await addToSize(trx, userId, id, addedBytes);
  await touchMailbox(trx, userId, addedBytes);
  return addedBytes;
}
