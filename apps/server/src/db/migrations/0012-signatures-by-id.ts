/**
 * Finds a signature by its id alone: a letter may name one that its sender has removed, and none of somebody else's.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['create index signatures_by_id on signatures (id)'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
