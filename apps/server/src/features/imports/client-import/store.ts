/**
 * Import statements: which messages an import stored before, and blobs whose message is pending.
 */
import { type SqlBool, sql } from 'kysely';
import { IMPORT_CONTAINER_COUNTED_BYTES } from '../../../base/import-limits.ts';
import type { Db, Trx } from '../../../db/pool.ts';

/** Pending blob with its size in bytes. */
type Container = { readonly blobId: string; readonly sizeBytes: number };

/** Returns the known digests among these, as base64. */
export async function findReceipts(
  trx: Trx,
  userId: string,
  digests: readonly Buffer[],
): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('inbound_receipts')
    .select('digest')
    .where('user_id', '=', userId)
    .where('digest', 'in', [...digests])
    .execute();
  return new Set(rows.map(row => row.digest.toString('base64')));
}

/**
 * Returns the number of a user's pending blobs, and the bytes that the minimum charge per blob adds
 * to their size.
 */
export async function sumWaiting(
  trx: Trx,
  userId: string,
): Promise<{ readonly count: number; readonly paddingBytes: number }> {
  const { rows } = await sql<{ count: number; padding: number }>`
    select count(*)::integer as count,
      coalesce(sum(greatest(${IMPORT_CONTAINER_COUNTED_BYTES}::bigint - size_bytes, 0)), 0)::float8 as padding
    from import_containers where user_id = ${userId}::uuid`.execute(trx);
  return { count: rows[0]?.count ?? 0, paddingBytes: rows[0]?.padding ?? 0 };
}

export async function insertWaiting(
  trx: Trx,
  userId: string,
  { blobId, sizeBytes }: Container,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('import_containers')
    .values({ user_id: userId, blob_id: blobId, size_bytes: sizeBytes, created_at: now })
    .execute();
}

/** Returns the pending blobs of the user among these ids, by id. */
export async function findWaiting(
  trx: Trx,
  userId: string,
  blobIds: readonly string[],
  since: Date,
): Promise<Map<string, Container>> {
  const rows = await trx
    .selectFrom('import_containers')
    .select(['blob_id', 'size_bytes'])
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .where(sql<SqlBool>`blob_id = any(${[...blobIds]}::uuid[])`)
    .execute();
  return new Map(rows.map(row => [row.blob_id, { blobId: row.blob_id, sizeBytes: row.size_bytes }]));
}

/** Removes these blobs from the pending ones; returns those that were pending. */
export async function deleteWaiting(
  db: Db | Trx,
  userId: string,
  blobIds: readonly string[],
): Promise<string[]> {
  if (blobIds.length === 0) return [];
  const rows = await db
    .deleteFrom('import_containers')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`blob_id = any(${[...blobIds]}::uuid[])`)
    .returning('blob_id')
    .execute();
  return rows.map(row => row.blob_id);
}
