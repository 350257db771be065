/**
 * Whether anybody used a session since it began: while nobody did, its answer may have been lost. Null says nothing: of a session
 * that the release before began.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sessions add column is_used boolean').execute(db);
}
