/**
 * Segments of the clients' search indexes: which containers of the blob store they are, and their sealed heads. They go
 * with the account; the bytes are collected as every container that nobody refers to.
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
