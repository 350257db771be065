/**
 * Encrypted blobs that a client uploaded for messages it is about to import: records their owner
 * until a message refers to them. Rows expire after half a day, and the bytes are collected like
 * those of any unreferenced blob.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table import_containers (
    user_id uuid not null,
    blob_id uuid not null,
    size_bytes bigint not null,
    created_at timestamptz not null,
    primary key (user_id, blob_id)
  )`,
  'create index import_containers_by_age on import_containers (created_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
