/** Counts sends by recipients as well, because plans limit recipients per hour. */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = ['alter table send_receipts add column recipients integer not null default 1'] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
