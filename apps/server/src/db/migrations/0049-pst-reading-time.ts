/**
 * Total reading time of an import, in milliseconds: a new process does not reset the time limit.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table server_imports add column spent_ms bigint not null default 0`.execute(db);
}
