/**
 * How long an import has been read in all, milliseconds: its time does not begin anew when a process does.
 */
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table server_imports add column spent_ms bigint not null default 0`.execute(db);
}
