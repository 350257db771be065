/**
 * The key log (docs/crypto.md, Key log): which keys each address had and has, in a map whose every
 * state is a leaf of an append-only tree. The log stores addresses as hashes. Triggers note every
 * change to an address or to a user's keys, so that no code path can bypass the log. Notes are
 * never merged, because a note that is being written must not be lost together with one that was
 * read.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table key_log_notes (
    id bigint generated always as identity primary key,
    name text not null
  )`,
  'create index key_log_notes_by_name on key_log_notes (name)',
  `create table key_log_entries (
    tag bytea primary key,
    version integer not null,
    previous bytea not null,
    entry bytea not null,
    keys bytea not null
  )`,
  `create table key_log_versions (
    tag bytea not null,
    version integer not null,
    keys bytea not null,
    changed_at timestamptz not null,
    primary key (tag, version)
  )`,
  `create table key_log_map (
    prefix text collate "C" primary key,
    left_hash bytea,
    right_hash bytea,
    tag bytea,
    entry bytea
  )`,
  `create table key_log_tree (
    level smallint not null,
    place bigint not null,
    hash bytea not null,
    primary key (level, place)
  )`,
  `create table key_log_heads (
    size bigint primary key,
    root bytea not null,
    map_root bytea not null,
    depth smallint not null,
    made_at timestamptz not null
  )`,
  `create function key_log_note_address() returns trigger language plpgsql as $$
  begin
    if tg_op <> 'INSERT' then insert into key_log_notes (name) values (old.address); end if;
    if tg_op <> 'DELETE' and (tg_op = 'INSERT' or new.address <> old.address) then
      insert into key_log_notes (name) values (new.address);
    end if;
    return null;
  end $$`,
  `create trigger key_log_address after insert or delete or update of address, user_id on addresses
    for each row execute function key_log_note_address()`,
  `create function key_log_note_keys() returns trigger language plpgsql as $$
  begin
    if new.main_key->>'dh_public_key' is distinct from old.main_key->>'dh_public_key'
      or new.main_key->>'mlkem_public_key' is distinct from old.main_key->>'mlkem_public_key' then
      insert into key_log_notes (name) select address from addresses where user_id = new.id;
    end if;
    return null;
  end $$`,
  `create trigger key_log_keys after update of main_key on users
    for each row execute function key_log_note_keys()`,
  'insert into key_log_notes (name) select address from addresses',
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
