/**
 * Additional addresses of a user, and the users' own domains.
 *
 * [Note: Former addresses] An address that was given up is never assigned to another user: its mail
 * would continue to arrive, and another user would answer what was sealed for its keys. Triggers
 * enforce this, regardless of what writes to `addresses`: one records a removed address as a hash,
 * the other refuses it to everyone but its former owner with the error for a taken address. At a
 * verified domain, the domain's owner may assign names freely. The second trigger runs after the
 * insert, because only then has it waited for a deletion that commits at the same moment.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `alter table addresses
    add column label_sealed bytea,
    add column is_on boolean not null default true,
    add column is_default boolean not null default false`,
  'create unique index addresses_default on addresses (user_id) where is_default',
  `create table domains (
    user_id uuid not null,
    domain text not null,
    token text not null,
    is_primary boolean not null default false,
    catchall text not null default '',
    verified_at timestamptz,
    missing_since timestamptz,
    checked_at timestamptz,
    next_check_at timestamptz not null,
    is_healthy boolean,
    findings jsonb,
    created_at timestamptz not null default now(),
    primary key (user_id, domain)
  )`,
  // Many users may claim a domain; only one can own it.
  'create unique index domains_verified on domains (domain) where verified_at is not null',
  'create index domains_by_name on domains (domain)',
  'create unique index domains_primary on domains (user_id) where is_primary',
  'create index domains_by_check on domains (next_check_at)',
  'alter table domain_keys add column seen_at timestamptz',
  `create table former_addresses (
    digest bytea primary key,
    user_id uuid,
    given_up_at timestamptz not null default now()
  )`,
  `create function note_former_address() returns trigger language plpgsql as $$
  begin
    insert into former_addresses (digest, user_id)
    values (
      sha256(convert_to(old.address, 'UTF8')),
      (select id from users where id = old.user_id)
    )
    on conflict (digest) do update set user_id = excluded.user_id, given_up_at = now();
    return null;
  end $$`,
  `create function refuse_former_address() returns trigger language plpgsql as $$
  declare
    former uuid;
  begin
    select user_id into former from former_addresses where digest = sha256(convert_to(new.address, 'UTF8'));
    if not found then
      return null;
    end if;
    if former is distinct from new.user_id and not exists (
      select from domains
      where domain = split_part(new.address, '@', -1) and user_id = new.user_id and verified_at is not null
    ) then
      raise exception 'An address was given up by somebody else' using errcode = 'unique_violation';
    end if;
    delete from former_addresses where digest = sha256(convert_to(new.address, 'UTF8'));
    return null;
  end $$`,
  // A deleted account leaves no domains, and of its addresses only the fact that they were in use.
  `create function forget_user_of_addresses() returns trigger language plpgsql as $$
  begin
    update former_addresses set user_id = null where user_id = old.id;
    with gone as (delete from domains where user_id = old.id returning domain)
    delete from domain_keys where domain in (select domain from gone) and not exists (
      select from domains where domains.domain = domain_keys.domain and user_id <> old.id
    );
    return null;
  end $$`,
  'create index former_addresses_by_user on former_addresses (user_id)',
  `create trigger users_gone after delete on users
    for each row execute function forget_user_of_addresses()`,
  `create trigger addresses_gone after delete on addresses
    for each row execute function note_former_address()`,
  `create trigger addresses_come after insert on addresses
    for each row execute function refuse_former_address()`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
