/**
 * Segments of the clients' search indexes: their encrypted blobs in the blob store, and their
 * sealed heads. They are deleted with the account; the bytes are collected like those of any
 * unreferenced blob.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table search_segments (
    user_id uuid not null references users (id) on delete cascade,
    blob_id uuid not null,
    size_bytes bigint not null,
    head text not null,
    created_at timestamptz not null,
    primary key (user_id, blob_id)
  )`,
  'create index search_segments_by_blob on search_segments (blob_id)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
