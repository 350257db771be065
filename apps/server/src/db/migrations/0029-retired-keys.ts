/**
 * Keys that users replaced (docs/crypto.md, Retired keys): kept, sealed for the keys in use, until
 * nothing needs them. Everything that a user wrapped or sealed for themselves names its keys, so
 * that messages and records which only old keys open can be found.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table retired_keys (
    user_id uuid not null,
    key_id text not null,
    generation integer not null,
    sealed bytea not null,
    mails integer not null,
    retired_at timestamptz not null,
    primary key (user_id, key_id),
    unique (user_id, generation)
  )`,
  'alter table mails add column own_key_used text',
  'alter table records add column key_used text',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
