/**
 * A user's settings for inbound mail: rules, spam settings, lists of senders. The version lets a
 * node detect that its cached copy is stale.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table mail_filters (
    user_id uuid primary key,
    version bigint not null default 1,
    rules_sealed bytea,
    settings_sealed bytea,
    settings_updated_at timestamptz
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
