/**
 * Distinguishes forwarded messages from messages that users send: a forwarded message carries no
 * signature of ours, and its delivery failures are reported only to the operator, once a day per
 * domain.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table outbound_messages add column is_forward boolean not null default false',
  `create index audit_entries_by_lost_forward on audit_entries (object, at) where action = 'lose_forward'`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
