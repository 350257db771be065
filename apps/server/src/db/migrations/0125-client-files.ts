/**
 * Files of the web client that machines of two versions store for each other while they run side by
 * side ([Note: Files of both builds] in features/clients/client-files/service.ts). Nothing in it is
 * secret, and no file is served without a valid seal.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table client_files (
    path text primary key,
    build bytea not null,
    seal bytea not null,
    packed bytea not null,
    named_at timestamptz not null
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
