/**
 * SQL for stored containers (docs/wire-format.md#attachments) and their references from messages.
 * The bytes are in the blob store; the row in blobs is inserted first and deleted last, so that
 * whatever a crash leaves behind is found and collected.
 *
 * [Note: References] A reference is only ever added to a container that already has one (held under
 * the mailbox's lock) or that was stored within the last day. An older container without references
 * can therefore never get one and may be removed. Adding a reference takes a shared lock on the
 * container's row, collecting takes an exclusive one: neither can overtake the other.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** A container as messages refer to it. */
export type Container = { readonly blobId: string; readonly sizeBytes: number };

/** Records a container that is about to be stored. */
export async function insertContainer(db: Db | Trx, blobId: string, now: Date): Promise<void> {
  await db.insertInto('blobs').values({ id: blobId, size_bytes: 0, created_at: now }).execute();
}

/** Records a container's size once its bytes are safe. */
export async function updateContainerSize(db: Db | Trx, { blobId, sizeBytes }: Container): Promise<void> {
  await db.updateTable('blobs').set({ size_bytes: sizeBytes }).where('id', '=', blobId).execute();
}

/**
 * Locks a container against new references. Returns false when it is gone or another transaction
 * holds it.
 */
export async function lockUnusedContainer(trx: Trx, blobId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('blobs')
    .select('id')
    .where('id', '=', blobId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns whether a container has a row. If so, it cannot be collected until the transaction ends.
 */
export async function hasContainer(trx: Trx, blobId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('blobs')
    .select('id')
    .where('id', '=', blobId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns whether a message or a search index refers to a container; index segments are in the blob
 * store too.
 */
export async function isReferred(db: Db | Trx, blobId: string): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`
    select exists (select 1 from mail_attachments where blob_id = ${blobId}::uuid)
      or exists (select 1 from search_segments where blob_id = ${blobId}::uuid) as is_used`.execute(db);
  return rows[0]?.is_used === true;
}

/** Deletes a container's row. */
export async function deleteContainer(trx: Trx, blobId: string): Promise<void> {
  await trx.deleteFrom('blobs').where('id', '=', blobId).execute();
}

/**
 * Returns the next containers after an id that are older than a time, ordered by id, each with
 * whether it is referenced.
 */
export async function nextContainers(
  db: Db,
  olderThan: Date,
  afterId: string | undefined,
  limit: number,
): Promise<{ readonly id: string; readonly isUsed: boolean }[]> {
  const { rows } = await sql<{ id: string; is_used: boolean }>`
    select b.id, exists (select 1 from mail_attachments a where a.blob_id = b.id)
      or exists (select 1 from search_segments s where s.blob_id = b.id) as is_used
    from (
      select id from blobs where id > ${afterId ?? NO_ID}::uuid and created_at < ${olderThan} order by id limit ${limit}
    ) b
    order by b.id`.execute(db);
  return rows.map(row => ({ id: row.id, isUsed: row.is_used }));
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Protects these containers from collection until the transaction ends. Locks them one after the
 * other ([Note: Locks one by one], 0116). Throws when one is gone.
 */
export async function lockContainers(trx: Trx, blobIds: readonly string[]): Promise<void> {
  const wanted = [...new Set(blobIds)];
  if (wanted.length === 0) return;
  const { rows } = await sql<{ held: number }>`select lock_containers(${wanted}::uuid[]) as held`.execute(
    trx,
  );
  if (rows[0]?.held !== wanted.length) throw new Error('A container no longer exists');
}

/** Adds references from a message to containers, which the caller has locked. */
export async function insertReferences(
  trx: Trx,
  userId: string,
  mailId: string,
  containers: readonly Container[],
): Promise<void> {
  if (containers.length === 0) return;
  await trx
    .insertInto('mail_attachments')
    .values(
      containers.map(({ blobId, sizeBytes }) => ({
        user_id: userId,
        mail_id: mailId,
        blob_id: blobId,
        size_bytes: sizeBytes,
      })),
    )
    .execute();
}

/** Removes a reference and returns the container's bytes, or null when there was none. */
export async function deleteReference(
  trx: Trx,
  userId: string,
  mailId: string,
  blobId: string,
): Promise<number | null> {
  const row = await trx
    .deleteFrom('mail_attachments')
    .where('user_id', '=', userId)
    .where('mail_id', '=', mailId)
    .where('blob_id', '=', blobId)
    .returning('size_bytes')
    .executeTakeFirst();
  return row?.size_bytes ?? null;
}

/** Returns the containers that a message refers to. */
export async function containersOf(db: Db | Trx, userId: string, mailId: string): Promise<Container[]> {
  const rows = await db
    .selectFrom('mail_attachments')
    .select(['blob_id', 'size_bytes'])
    .where('user_id', '=', userId)
    .where('mail_id', '=', mailId)
    .orderBy('blob_id')
    .execute();
  return rows.map(row => ({ blobId: row.blob_id, sizeBytes: row.size_bytes }));
}

/** Returns the user's messages that refer to a container, with their masks. */
export const findReferringMails = (db: Db | Trx, userId: string, blobId: string) =>
  db
    .selectFrom('mail_attachments as a')
    .innerJoin('mails as m', join =>
      join.onRef('m.user_id', '=', 'a.user_id').onRef('m.id', '=', 'a.mail_id'),
    )
    .select(['m.id', 'm.flags', 'a.size_bytes'])
    .where('a.user_id', '=', userId)
    .where('a.blob_id', '=', blobId)
    .execute();

/** Returns those containers that a message of the user refers to. */
export async function findReadable(
  db: Db | Trx,
  userId: string,
  blobIds: readonly string[],
): Promise<Container[]> {
  const rows = await db
    .selectFrom('mail_attachments')
    .select(['blob_id', 'size_bytes'])
    .distinct()
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`blob_id = any(${[...blobIds]}::uuid[])`)
    .execute();
  return rows.map(row => ({ blobId: row.blob_id, sizeBytes: row.size_bytes }));
}
