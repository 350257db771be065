/**
 * The second factor: the authenticator app's sealed secret and the data that prevents a code from
 * being used twice, recovery codes, passkeys and security keys, their challenges, and MFA-pending
 * sessions.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table second_factors (
    user_id uuid primary key,
    secret_sealed bytea,
    activated_at timestamptz,
    last_step bigint not null default 0,
    pending_sealed bytea,
    pending_until timestamptz,
    wrong_codes integer not null default 0,
    wait_until timestamptz
  )`,
  `create table recovery_codes (
    user_id uuid not null,
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  `create table passkeys (
    user_id uuid not null,
    id uuid not null,
    credential_id bytea not null unique,
    public_key bytea not null,
    counter bigint not null,
    transports text[] not null,
    name_sealed bytea not null,
    is_synced boolean not null,
    created_at timestamptz not null,
    last_used_at timestamptz,
    primary key (user_id, id)
  )`,
  `create table passkey_challenges (
    user_id uuid not null,
    token_hash bytea not null,
    purpose text not null check (purpose in ('add', 'prove')),
    challenge text not null,
    expires_at timestamptz not null,
    primary key (user_id, token_hash, purpose)
  )`,
  'create index passkey_challenges_by_age on passkey_challenges (expires_at)',
  `create table half_sessions (
    token_hash bytea primary key,
    user_id uuid not null,
    purpose text not null check (purpose in ('login', 'recovery')),
    tries integer not null default 0,
    expires_at timestamptz not null
  )`,
  'create index half_sessions_by_user on half_sessions (user_id)',
  'create index half_sessions_by_age on half_sessions (expires_at)',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
