/**
 * SQL that changes messages already in a mailbox: flags, tags, rewriting, removal. Callers hold the
 * mailbox's lock and update the counters; the rules are in flag-changes.ts, removal.ts, tagging.ts
 * and drafting.ts.
 */
import { type SqlBool, sql } from 'kysely';
import { FLAG_BITS } from '../../../base/flags.ts';
import type { Trx } from '../../../db/pool.ts';
import type { NewMail } from './new-mail.ts';

export type MailFlags = { readonly id: string; readonly flags: number; readonly size_bytes: number };
export type TagBucket = { readonly tag_id: string; readonly flags: number; readonly total: number };

const oneOf = (column: string, ids: readonly string[]) =>
  sql<SqlBool>`${sql.ref(column)} = any(${[...ids]}::uuid[])`;

/** Returns the masks and sizes of those messages that belong to the user. */
export const findFlags = (trx: Trx, userId: string, ids: readonly string[]): Promise<MailFlags[]> =>
  trx
    .selectFrom('mails')
    .select(['id', 'flags', 'size_bytes'])
    .where('user_id', '=', userId)
    .where(oneOf('id', ids))
    .execute();

/** Returns how many of these messages are in each flag group of each tag. */
export const countTagBuckets = (trx: Trx, userId: string, ids: readonly string[]): Promise<TagBucket[]> =>
  trx
    .selectFrom('mail_tags')
    .select(eb => ['tag_id', 'flags', eb.fn.countAll<number>().as('total')])
    .where('user_id', '=', userId)
    .where(oneOf('mail_id', ids))
    .groupBy(['tag_id', 'flags'])
    .execute();

export type MaskChange = { readonly set: number; readonly clear: number };

/**
 * Times that accompany flags: the purge time and the end of snoozing. Undefined leaves a time
 * unchanged.
 */
export type FlagTimes = { readonly deletedAt?: Date | null; readonly snoozedUntil?: Date | null };

/**
 * Sets and clears bits of messages and of their tag rows. Clears the snooze time of messages that
 * are no longer snoozed.
 */
export async function updateMasks(
  trx: Trx,
  userId: string,
  ids: readonly string[],
  { set, clear }: MaskChange,
  { deletedAt, snoozedUntil }: FlagTimes = {},
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
 * Moves messages to the top of their lists: each gets a new list position and a unique arrival
 * time; the time of reception is preserved ([Note: Place and reception]). The positions of the tag
 * rows move with the messages'.
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

/**
 * Deletes every row of these messages: tags, references to containers, bodies and the messages
 * themselves.
 */
export async function deleteMails(trx: Trx, userId: string, ids: readonly string[]): Promise<void> {
  for (const table of ['mail_tags', 'mail_attachments', 'mail_bodies'] as const) {
    await trx.deleteFrom(table).where('user_id', '=', userId).where(oneOf('mail_id', ids)).execute();
  }
  await trx.deleteFrom('mails').where('user_id', '=', userId).where(oneOf('id', ids)).execute();
}

/** Replaces the content, flags and time of a message; its id, arrival and containers stay. */
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

/** Adds bytes to a message's size in the list. */
export async function addToSize(trx: Trx, userId: string, id: string, addedBytes: number): Promise<void> {
  await trx
    .updateTable('mails')
    .set(eb => ({ size_bytes: eb('size_bytes', '+', addedBytes) }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute();
}

/**
 * Sets when a message is sent (null when it was sent or never will be) and its position in lists.
 */
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
