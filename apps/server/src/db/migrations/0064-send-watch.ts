/**
 * Signals of a compromised account: keyed digests of the external addresses a user has written to
 * before, how many recipients per hour were refused or looked like those of spam, and which users'
 * outbound mail is held for that.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table outside_recipients (
    user_id uuid not null,
    digest bytea not null,
    first_at timestamptz not null,
    primary key (user_id, digest)
  )`,
  'create index outside_recipients_by_time on outside_recipients (user_id, first_at)',
  'create index outside_recipients_by_age on outside_recipients (first_at)',
  `create table outside_counts (
    user_id uuid not null,
    hour timestamptz not null,
    tried integer not null default 0,
    refused integer not null default 0,
    suspicious integer not null default 0,
    primary key (user_id, hour)
  )`,
  'create index outside_counts_by_age on outside_counts (hour)',
  `create table send_holds (
    user_id uuid primary key,
    reason text not null check (reason in ('strangers', 'refusals', 'content')),
    held_until timestamptz not null,
    strikes integer not null,
    told_at timestamptz
  )`,
  'create index send_holds_untold on send_holds (user_id) where told_at is null',
  'create index send_holds_by_end on send_holds (held_until)',
  'alter table audit_entries drop constraint audit_entries_actor_kind_check',
  `alter table audit_entries add constraint audit_entries_actor_kind_check
    check (actor_kind in ('admin', 'operator', 'billing', 'member', 'service'))`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
