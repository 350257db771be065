/**
 * Statements that change mails which are in a mailbox already: flags, tags, rewriting, removal. Callers hold the
 * mailbox's lock and move the counters; rules stand beside in marking.ts, removal.ts, tagging.ts and drafting.ts.
 */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import type { NewMail } from './new-mail.ts';

export type MarkedMail = { readonly id: string; readonly flags: number; readonly size_bytes: number };
export type TagBucket = { readonly tag_id: string; readonly flags: number; readonly total: number };

const oneOf = (column: string, ids: readonly string[]) =>
  sql<SqlBool>`${sql.ref(column)} = any(${[...ids]}::uuid[])`;

/** Masks and sizes of those of these mails that are the user's. */
export const findMarks = (trx: Trx, userId: string, ids: readonly string[]): Promise<MarkedMail[]> =>
  trx
    .selectFrom('mails')
    .select(['id', 'flags', 'size_bytes'])
    .where('user_id', '=', userId)
    .where(oneOf('id', ids))
    .execute();

/** How many of these mails are in each bucket of each tag. */
export const countTagBuckets = (trx: Trx, userId: string, ids: readonly string[]): Promise<TagBucket[]> =>
  trx
    .selectFrom('mail_tags')
    .select(eb => ['tag_id', 'flags', eb.fn.countAll<number>().as('total')])
    .where('user_id', '=', userId)
    .where(oneOf('mail_id', ids))
    .groupBy(['tag_id', 'flags'])
    .execute();

export type MaskChange = { readonly set: number; readonly clear: number };

/** Times that go with flags: of the purge, and of the waking. Undefined leaves one alone. */
export type MarkTimes = { readonly deletedAt?: Date | null; readonly snoozedUntil?: Date | null };

/** Sets and clears bits of mails and of their tag rows. A mail that is not snoozed any more has no time of waking. */
export async function updateMasks(
  trx: Trx,
  userId: string,
  ids: readonly string[],
  { set, clear }: MaskChange,
  { deletedAt, snoozedUntil }: MarkTimes = {},
): Promise<void> {
  const flags = sql<number>`(flags & ${~clear}::smallint) | ${set}::smallint`;
  const wakesAt = (clear & FLAG_BITS.snoozed) === 0 ? snoozedUntil : null;
  await trx
    .updateTable('mails')
    .set({
      flags,
      ...(deletedAt === undefined ? {} : { deleted_at: deletedAt }),
      ...(wakesAt === undefined ? {} : { snoozed_until: wakesAt }),
    })
    .where('user_id', '=', userId)
    .where(oneOf('id', ids))
    .execute();
  await trx
    .updateTable('mail_tags')
    .set({ flags })
    .where('user_id', '=', userId)
    .where(oneOf('mail_id', ids))
    .execute();
}

/**
 * Moves mails to the top of their lists: each gets a place there, and a time of arrival of its own; when it was received
 * stays known ([Note: Place and reception]). The tag rows' places move with the mails'.
 */
export async function moveToTop(
  trx: Trx,
  userId: string,
  mails: readonly { readonly id: string; readonly arrivedAt: Date }[],
  placedAt: Date,
): Promise<void> {
  const ids = mails.map(mail => mail.id);
  await sql`
    update mails m set received_at = ${placedAt}, first_received_at = coalesce(m.first_received_at, m.received_at),
      arrived_at = t.arrived_at
    from unnest(${ids}::uuid[], ${mails.map(mail => mail.arrivedAt.toISOString())}::timestamptz[]) as t (id, arrived_at)
    where m.user_id = ${userId} and m.id = t.id`.execute(trx);
  await trx
    .updateTable('mail_tags')
    .set({ received_at: placedAt })
    .where('user_id', '=', userId)
    .where(oneOf('mail_id', ids))
    .execute();
}

/** Deletes every row of these mails: tags, references to containers, bodies and the mails themselves. */
export async function deleteMails(trx: Trx, userId: string, ids: readonly string[]): Promise<void> {
  for (const table of ['mail_tags', 'mail_attachments', 'mail_bodies'] as const) {
    await trx.deleteFrom(table).where('user_id', '=', userId).where(oneOf('mail_id', ids)).execute();
  }
  await trx.deleteFrom('mails').where('user_id', '=', userId).where(oneOf('id', ids)).execute();
}

/** Puts new content, flags and time on a mail that keeps its id, arrival and containers. */
export async function rewriteMail(
  trx: Trx,
  id: string,
  mail: NewMail & { readonly threadId: string; readonly people: string },
  sizeBytes: number,
): Promise<void> {
  await trx
    .updateTable('mails')
    .set({
      flags: mail.flags,
      received_at: mail.receivedAt,
      message_id: mail.messageId,
      first_received_at: null,
      deleted_at: mail.deletedAt ?? null,
      thread_id: mail.threadId,
      from_address: mail.fromAddress,
      own_address: mail.ownAddress,
      headers: mail.headers,
      people: mail.people,
      summary: mail.summary,
      binding: mail.binding,
      ciphertext: mail.ciphertext,
      encrypted_key: mail.encryptedKey,
      dh_public: mail.dhPublic,
      salt: mail.salt,
      key_used: mail.keyUsed,
      own_key: null,
      own_salt: null,
      size_bytes: sizeBytes,
    })
    .where('user_id', '=', mail.userId)
    .where('id', '=', id)
    .execute();
  await trx
    .updateTable('mail_bodies')
    .set({ body: mail.body })
    .where('user_id', '=', mail.userId)
    .where('mail_id', '=', id)
    .execute();
  await trx
    .updateTable('mail_tags')
    .set({ flags: mail.flags, received_at: mail.receivedAt })
    .where('user_id', '=', mail.userId)
    .where('mail_id', '=', id)
    .execute();
}

/** Changes a mail's size in the list by some bytes. */
export async function addToSize(trx: Trx, userId: string, id: string, addedBytes: number): Promise<void> {
  await trx
    .updateTable('mails')
    .set(eb => ({ size_bytes: eb('size_bytes', '+', addedBytes) }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** Says when a mail goes out, null when it has gone or never will, and where it stands in lists. */
export async function updateTimes(
  trx: Trx,
  userId: string,
  id: string,
  sendAt: Date | null,
  receivedAt: Date | undefined,
): Promise<void> {
  await trx
    .updateTable('mails')
    .set({
      send_at: sendAt,
      ...(receivedAt === undefined ? {} : { received_at: receivedAt, first_received_at: null }),
    })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
  if (receivedAt === undefined) return;
  await trx
    .updateTable('mail_tags')
    .set({ received_at: receivedAt })
    .where('user_id', '=', userId)
    .where('mail_id', '=', id)
    .execute();
}
