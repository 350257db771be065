/**
 * Times of waiting messages: when a snoozed message returns, and when a scheduled message is sent.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'alter table mails add column snoozed_until timestamptz, add column send_at timestamptz',
  'create index mails_by_waking on mails (snoozed_until) where snoozed_until is not null',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
