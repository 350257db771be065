/**
 * Data for the account and security pages: sessions and devices that can be named, with the place
 * of their last use and an expiry; the sign-in history; known browsers; and recovery kits.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table sessions
    add column id uuid not null default gen_random_uuid() unique,
    add column address text not null default '',
    add column ends_at timestamptz not null default now() + interval '90 days'`,
  `alter table devices
    add column user_agent text not null default '',
    add column address text not null default '',
    add column started_at timestamptz not null default now(),
    add column ends_at timestamptz not null default now() + interval '90 days'`,
  `create table logins (
    user_id uuid not null,
    id uuid not null,
    outcome text not null check (outcome in ('signed_in', 'wrong_password', 'wrong_code', 'recovered')),
    browser text,
    system text,
    address text not null,
    created_at timestamptz not null,
    primary key (user_id, id)
  )`,
  'create index logins_by_age on logins (created_at)',
  `create table known_browsers (
    user_id uuid not null,
    token_hash bytea not null,
    seen_at timestamptz not null,
    primary key (user_id, token_hash)
  )`,
  'create index known_browsers_by_age on known_browsers (seen_at)',
  `create table recovery_kits (
    user_id uuid primary key,
    proof_hash bytea not null,
    main_key jsonb not null,
    created_at timestamptz not null
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
