/**
 * Statements of imports: which messages an import brought before, and the containers that wait for their message.
 */
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../db/pool.ts';

/** A container that waits, with its size in bytes. */
type Container = { readonly blobId: string; readonly sizeBytes: number };

/** Those of these digests that are remembered, as base64. */
export const findReceipts = async (
  trx: Trx,
  userId: string,
  digests: readonly Buffer[],
): Promise<Set<string>> => {
  const rows = await trx
    .selectFrom('inbound_receipts')
    .select('digest')
    .where('user_id', '=', userId)
    .where('digest', 'in', [...digests])
    .execute();
  return new Set(rows.map(row => row.digest.toString('base64')));
};

/** Bytes of the user's containers that wait for their message. */
export const sumWaiting = async (trx: Trx, userId: string, since: Date): Promise<number> => {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(size_bytes), 0)::bigint as bytes from import_containers
    where user_id = ${userId}::uuid and created_at > ${since}`.execute(trx);
  return Number(rows[0]?.bytes ?? 0);
};

export const insertWaiting = async (
  trx: Trx,
  userId: string,
  { blobId, sizeBytes }: Container,
  now: Date,
): Promise<void> => {
  await trx
    .insertInto('import_containers')
    .values({ user_id: userId, blob_id: blobId, size_bytes: sizeBytes, created_at: now })
    .execute();
};

/** Those of these containers that wait for a message of the user's, by id. */
export const findWaiting = async (
  trx: Trx,
  userId: string,
  blobIds: readonly string[],
  since: Date,
): Promise<Map<string, Container>> => {
  const rows = await trx
    .selectFrom('import_containers')
    .select(['blob_id', 'size_bytes'])
    .where('user_id', '=', userId)
    .where('created_at', '>', since)
    .where(sql<SqlBool>`blob_id = any(${[...blobIds]}::uuid[])`)
    .execute();
  return new Map(rows.map(row => [row.blob_id, { blobId: row.blob_id, sizeBytes: row.size_bytes }]));
};

/** These containers wait no more. */
export const deleteWaiting = async (
  db: Db | Trx,
  userId: string,
  blobIds: readonly string[],
): Promise<string[]> => {
  if (blobIds.length === 0) return [];
  const rows = await db
    .deleteFrom('import_containers')
    .where('user_id', '=', userId)
    .where(sql<SqlBool>`blob_id = any(${[...blobIds]}::uuid[])`)
    .returning('blob_id')
    .execute();
  return rows.map(row => row.blob_id);
};
