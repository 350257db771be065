/**
 * Contacts with the keys they had when they were added; share codes; and whether the first contact
 * of an account has granted its extra storage, which happens once.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table contacts (
    user_id uuid not null,
    email text not null,
    name text not null,
    mlkem_public bytea not null,
    dh_public bytea not null,
    fingerprint text not null,
    verified boolean not null,
    created_at timestamptz not null default now(),
    primary key (user_id, email)
  )`,
  `create table share_codes (
    code_hash bytea primary key,
    user_id uuid not null,
    expires_at timestamptz not null
  )`,
  'create index share_codes_by_user on share_codes (user_id, expires_at)',
  'alter table users add column first_contact_at timestamptz',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
