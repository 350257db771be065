/**
 * Holds on encrypted blobs: while a backup copies what its snapshot names, no blob's bytes are
 * removed. A hold expires by itself, so that a killed backup blocks collection only for minutes.
 * Unlogged: if a database crash removes the hold, the backup detects it and starts over.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create unlogged table container_holds (
    id uuid primary key,
    held_until timestamptz not null
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
