/**
 * The fingerprint of the server's key that this database was created with, so that a start with
 * another key is refused (features/operator/server-key/service.ts). One row; none until the first
 * start with a release that records it.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table server_key (
    id smallint primary key default 1 check (id = 1),
    fingerprint bytea not null,
    recorded_at timestamptz not null default now()
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
