/**
 * Finds a signature by its ID alone: a message may name a signature that its sender has removed,
 * but never one of another user.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['create index signatures_by_id on signatures (id)'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
