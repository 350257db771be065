/**
 * Holds on containers: while a backup copies what its snapshot names, no container's bytes are removed. A hold ends by
 * itself, so that a backup that was killed stops the collection for minutes and not for ever. Unlogged: what a crash of the
 * database ends is noticed by the backup, and begun anew.
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
