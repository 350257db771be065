/**
 * Whether a session has been used since it began: until it is, its response may have been lost.
 * Null means unknown, for sessions that the previous release began.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table sessions add column is_used boolean').execute(db);
}
