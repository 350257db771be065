/**
 * Codes for sign-up: affiliate codes, whose uses are counted, and invitation codes, which work
 * once.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table affiliate_codes (
    code text primary key,
    note text not null default '',
    signups integer not null default 0,
    created_at timestamptz not null default now()
  )`,
  `create table invitation_codes (
    id uuid primary key,
    code_hash bytea not null unique,
    hint text not null,
    note text not null default '',
    uses_allowed integer not null,
    uses_left integer not null check (uses_left >= 0),
    expires_at timestamptz,
    created_at timestamptz not null default now()
  )`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
