/**
 * Statements on segments of search indexes.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** Returns all segments of a user, oldest first. */
export const readSegments = (db: Db, userId: string) =>
  db
    .selectFrom('search_segments')
    .select(['blob_id', 'size_bytes', 'head', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('blob_id')
    .execute();

export const findSegment = (db: Db, userId: string, blobId: string) =>
  db
    .selectFrom('search_segments')
    .select('size_bytes')
    .where('user_id', '=', userId)
    .where('blob_id', '=', blobId)
    .executeTakeFirst();

/** Returns the number of a user's segments and their total bytes. */
export async function sumSegments(trx: Trx, userId: string): Promise<{ count: number; bytes: number }> {
  const { rows } = await sql<{ count: number; bytes: number }>`
    select count(*)::int as count, coalesce(sum(size_bytes), 0)::bigint as bytes
    from search_segments where user_id = ${userId}`.execute(trx);
  return { count: rows[0]?.count ?? 0, bytes: rows[0]?.bytes ?? 0 };
}

export async function insertSegment(
  trx: Trx,
  userId: string,
  segment: {
    readonly blobId: string;
    readonly sizeBytes: number;
    readonly head: string;
    readonly createdAt: Date;
  },
): Promise<void> {
  await trx
    .insertInto('search_segments')
    .values({
      user_id: userId,
      blob_id: segment.blobId,
      size_bytes: segment.sizeBytes,
      head: segment.head,
      created_at: segment.createdAt,
    })
    .execute();
}

/** Deletes these segments of a user; returns those that existed. */
export async function deleteSome(trx: Trx, userId: string, blobIds: readonly string[]): Promise<string[]> {
  if (blobIds.length === 0) return [];
  const rows = await trx
    .deleteFrom('search_segments')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`blob_id = any(${[...blobIds]}::uuid[])`)
    .returning('blob_id')
    .execute();
  return rows.map(row => row.blob_id);
}

/** Deletes all segments of a user and returns them. */
export async function deleteAll(db: Db | Trx, userId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('search_segments')
    .where('user_id', '=', userId)
    .returning('blob_id')
    .execute();
  return rows.map(row => row.blob_id);
}
