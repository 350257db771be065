/**
 * Push notifications: registered devices, pending notifications, shown notifications, and the
 * server's own push key. Tokens and device descriptions are sealed under the master key; a token is
 * found by its digest.
 *
 * [Note: Devices end with sessions] A device belongs to the session that registered it, or to the
 * kept device behind that session. Triggers remove it in the same transaction that ends those,
 * regardless of the cause.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table push_devices (
    user_id uuid not null references users (id) on delete cascade,
    id uuid primary key,
    kind text not null check (kind in ('fcm', 'apns', 'webpush', 'unifiedpush')),
    token_hash bytea not null unique,
    token_sealed bytea not null,
    words_sealed bytea not null,
    session_id uuid not null,
    family_id uuid,
    preferences jsonb not null,
    created_at timestamptz not null,
    seen_at timestamptz not null,
    sent_at timestamptz,
    failing_since timestamptz,
    blocked_until timestamptz,
    burst_since timestamptz not null,
    burst_size integer not null default 0
  )`,
  'create index push_devices_by_user on push_devices (user_id)',
  'create index push_devices_by_session on push_devices (session_id)',
  'create index push_devices_by_family on push_devices (family_id) where family_id is not null',
  `create table push_users (
    user_id uuid primary key references users (id) on delete cascade,
    version bigint not null,
    pushed_until timestamptz not null
  )`,
  `create table push_jobs (
    id uuid primary key,
    user_id uuid not null,
    device_id uuid not null references push_devices (id) on delete cascade,
    type text not null check (type in ('mail', 'security', 'summary', 'read', 'test')),
    mail_id uuid,
    created_at timestamptz not null,
    next_attempt_at timestamptz not null,
    attempts integer not null default 0,
    leased_until timestamptz
  )`,
  'create index push_jobs_by_time on push_jobs (next_attempt_at)',
  'create index push_jobs_by_device on push_jobs (device_id)',
  'create index push_jobs_leased on push_jobs (user_id) where leased_until is not null',
  `create unique index push_jobs_one_summary on push_jobs (device_id) where type = 'summary'`,
  `create table push_shown (
    device_id uuid not null references push_devices (id) on delete cascade,
    mail_id uuid not null,
    user_id uuid not null,
    shown_at timestamptz not null,
    primary key (device_id, mail_id)
  )`,
  'create index push_shown_by_user on push_shown (user_id)',
  `create table push_counts (
    user_id uuid not null references users (id) on delete cascade,
    platform text not null,
    group_hash bytea not null,
    count integer not null check (count >= 0),
    updated_at timestamptz not null,
    primary key (user_id, platform, group_hash)
  )`,
  `create table push_keys (
    name text primary key,
    private_sealed bytea not null,
    public_key text not null,
    created_at timestamptz not null
  )`,
  `create function forget_push_of_session() returns trigger language plpgsql as $$
  begin
    delete from push_devices where session_id = old.id and family_id is null;
    return null;
  end $$`,
  `create trigger sessions_gone_from_push after delete on sessions
    for each row execute function forget_push_of_session()`,
  `create function forget_push_of_family() returns trigger language plpgsql as $$
  begin
    delete from push_devices p where p.family_id = old.family_id and not exists (
      select 1 from devices d where d.family_id = old.family_id and d.replaced_at is null
    );
    return null;
  end $$`,
  `create trigger devices_gone_from_push after delete on devices
    for each row execute function forget_push_of_family()`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
