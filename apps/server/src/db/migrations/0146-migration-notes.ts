/**
 * What a program must know to run on the schema that a migration produced; read by the previous
 * release ([Note: Newer schemas] in migrate.ts). `needs` names the oldest migration that a program
 * must know; null means the migration only added.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table migration_notes (
    name text primary key,
    needs text
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
