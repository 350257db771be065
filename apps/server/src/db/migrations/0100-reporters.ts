/**
 * Whose reports they are, so that one sender of them takes no other's place; and for whom the mail was that is complained of, so
 * that one reader, or the readers of one domain, are not taken for many. Rows from before say neither.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table received_reports add column reporter bytea',
  'alter table complaints add column audience bytea',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
