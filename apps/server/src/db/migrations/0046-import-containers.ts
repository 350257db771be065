/**
 * Containers that a client uploaded for mail it is about to bring in: whose they are, until a message refers to them. They
 * are forgotten after half a day, and their bytes collected as every container that nobody refers to.
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
