/**
 * Organizations: their members, open invitations, password resets, and connected domains.
 *
 * [Note: Addresses at connected domains] Members have addresses at a domain that another user owns,
 * and keep signing in by them permanently. `refuse_former_address` therefore gains two rules: at a
 * connected domain, given-up names may be assigned to another member, as the holder may do; and no
 * account can get an address by which another account signs in, or for which an invitation is open.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table organizations (
    id uuid primary key,
    name text not null,
    created_at timestamptz not null
  )`,
  `create table organization_members (
    user_id uuid primary key,
    organization_id uuid not null,
    role text not null check (role in ('owner', 'admin', 'member')),
    joined_at timestamptz not null
  )`,
  'create index organization_members_by_organization on organization_members (organization_id)',
  `create table organization_invites (
    id uuid primary key,
    organization_id uuid not null,
    token_hash bytea not null unique,
    address text not null unique,
    name text not null,
    role text not null check (role in ('owner', 'admin', 'member')),
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  'create index organization_invites_by_organization on organization_invites (organization_id)',
  'create index organization_invites_by_age on organization_invites (expires_at)',
  `create table organization_resets (
    user_id uuid primary key,
    organization_id uuid not null,
    token_hash bytea not null unique,
    expires_at timestamptz not null
  )`,
  'create index organization_resets_by_age on organization_resets (expires_at)',
  `create table organization_domains (
    domain text primary key,
    organization_id uuid not null,
    user_id uuid not null,
    connected_at timestamptz not null
  )`,
  'create index organization_domains_by_organization on organization_domains (organization_id)',
  'create index organization_domains_by_user on organization_domains (user_id)',
  `create or replace function refuse_former_address() returns trigger language plpgsql as $$
  declare
    former uuid;
  begin
    if exists (select from users where kdf_email = new.address and id <> new.user_id) or exists (
      select from organization_invites
      where address = new.address and id <> new.user_id and expires_at > now()
    ) then
      raise exception 'An address is kept for somebody else' using errcode = 'unique_violation';
    end if;
    select user_id into former from former_addresses where digest = sha256(convert_to(new.address, 'UTF8'));
    if not found then
      return null;
    end if;
    if former is distinct from new.user_id and not exists (
      select from domains
      where domain = split_part(new.address, '@', -1) and user_id = new.user_id and verified_at is not null
    ) and not exists (
      select from organization_domains d join organization_members m on m.organization_id = d.organization_id
      where d.domain = split_part(new.address, '@', -1) and m.user_id = new.user_id
    ) then
      raise exception 'An address was given up by somebody else' using errcode = 'unique_violation';
    end if;
    delete from former_addresses where digest = sha256(convert_to(new.address, 'UTF8'));
    return null;
  end $$`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
