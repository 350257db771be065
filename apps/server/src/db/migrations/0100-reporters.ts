/**
 * Records who sent a report, so that one reporter cannot use up another's quota; and who received
 * the message a complaint is about, so that one reader, or the readers of one domain, do not count
 * as many. Earlier rows contain neither.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table received_reports add column reporter bytea',
  'alter table complaints add column audience bytea',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
