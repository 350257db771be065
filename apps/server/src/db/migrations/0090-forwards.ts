/**
 * What is sent on is told from what users send: it bears no signature as ours, and nobody is told when it cannot be delivered
 * but the operator, once a day for each domain.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table outbound_messages add column is_forward boolean not null default false',
  `create index audit_entries_by_lost_forward on audit_entries (object, at) where action = 'lose_forward'`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
