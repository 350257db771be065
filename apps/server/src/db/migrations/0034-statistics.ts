/**
 * Counters for the console's statistics, and the search indexes of its list of users.
 *
 * [Note: Counters without locks] A transaction that changes something counted also adds a row to
 * `stat_changes`. No two writers change the same row, so writers neither wait for each other nor
 * deadlock. A job folds the rows into `stat_totals`. A count is the sum of both tables and correct
 * in any snapshot. Counts over time use one bucket per period: days of registration, hours in which
 * users were last seen, months of sends. A user who is seen again moves from one hour to another,
 * so that the number of users not seen for 30 days costs a sum over the 720 hours in which a user
 * can have been seen.
 */
import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  'create extension if not exists pg_trgm',
  `create table stat_totals (
    kind text not null,
    bucket bigint not null,
    total bigint not null,
    primary key (kind, bucket)
  )`,
  'create table stat_changes (kind text not null, bucket bigint not null, amount bigint not null)',
  `alter table mailboxes add column sent_emails bigint not null default 0`,
  'create index users_by_age on users (created_at desc, id desc)',
  'create index users_admins on users (id) where is_admin',
] as const;

/**
 * Columns by which the list of users is searched. Each has its own index, because YugabyteDB has no
 * trigram index over two columns (issue 10652).
 */
export const WORDS = [
  'create index if not exists users_by_words_of_name on users using gin (lower(name) gin_trgm_ops)',
  'create index if not exists users_by_words_of_email on users using gin (lower(email) gin_trgm_ops)',
] as const;

const FUNCTIONS = [
  `create function stat_day(at timestamptz) returns bigint language sql immutable
    return floor(extract(epoch from at) / 86400)::bigint`,
  `create function stat_hour(at timestamptz) returns bigint language sql immutable
    return floor(extract(epoch from at) / 3600)::bigint`,
  // An insert has no old row and a delete no new one: those values are then null and skipped.
  `create function count_user() returns trigger language plpgsql as $$
  begin
    insert into stat_changes (kind, bucket, amount)
    select kind, bucket, sum(amount) from (values
      ('plan:' || old.plan, 0::bigint, -1),
      ('joined', stat_day(old.created_at), -1),
      ('seen:' || old.status, stat_hour(old.last_active_at), -1),
      ('plan:' || new.plan, 0::bigint, 1),
      ('joined', stat_day(new.created_at), 1),
      ('seen:' || new.status, stat_hour(new.last_active_at), 1)
    ) as counted (kind, bucket, amount)
    where kind is not null and bucket is not null
    group by kind, bucket having sum(amount) <> 0;
    return null;
  end $$`,
  `create function count_domain() returns trigger language plpgsql as $$
  declare
    claimed integer := 0;
    active integer := 0;
  begin
    if tg_op <> 'INSERT' then
      claimed := claimed - 1;
      active := active - (old.verified_at is not null and old.is_healthy is true)::int;
    end if;
    if tg_op <> 'DELETE' then
      claimed := claimed + 1;
      active := active + (new.verified_at is not null and new.is_healthy is true)::int;
    end if;
    if claimed <> 0 then insert into stat_changes values ('domains', 0, claimed); end if;
    if active <> 0 then insert into stat_changes values ('active_domains', 0, active); end if;
    return null;
  end $$`,
] as const;

/**
 * Bytes of mailboxes, counted row by row, because YugabyteDB has no transition tables (issue 1668).
 * The trigger does not run if a mailbox changes but its bytes do not.
 */
export const COUNTING_STORAGE = [
  `create or replace function count_storage() returns trigger language plpgsql as $$
  declare
    amount bigint := 0;
  begin
    if tg_op <> 'INSERT' then amount := amount - old.used_bytes; end if;
    if tg_op <> 'DELETE' then amount := amount + new.used_bytes; end if;
    if amount <> 0 then insert into stat_changes values ('storage', 0, amount); end if;
    return null;
  end $$`,
  `create or replace trigger mailboxes_come after insert on mailboxes
    for each row execute function count_storage()`,
  `create or replace trigger mailboxes_grow after update on mailboxes
    for each row when (old.used_bytes <> new.used_bytes) execute function count_storage()`,
  `create or replace trigger mailboxes_go after delete on mailboxes
    for each row execute function count_storage()`,
] as const;

const TRIGGERS = [
  `create trigger users_come_and_go after insert or delete on users
    for each row execute function count_user()`,
  `create trigger users_move after update on users for each row
    when ((old.plan, old.status, old.created_at, stat_hour(old.last_active_at))
      is distinct from (new.plan, new.status, new.created_at, stat_hour(new.last_active_at)))
    execute function count_user()`,
  `create trigger domains_counted after insert or update or delete on domains
    for each row execute function count_domain()`,
] as const;

// Existing rows, counted once. Of earlier sends, only the number still stored and their times are
// known.
const COUNTED = [
  `insert into stat_changes select 'plan:' || plan, 0, count(*) from users group by plan`,
  `insert into stat_changes select 'joined', stat_day(created_at), count(*) from users group by 2`,
  `insert into stat_changes select 'seen:' || status, stat_hour(last_active_at), count(*) from users
    where last_active_at is not null group by 1, 2`,
  `insert into stat_changes select 'storage', 0, sum(used_bytes) from mailboxes having sum(used_bytes) > 0`,
  `insert into stat_changes select 'domains', 0, count(*) from domains having count(*) > 0`,
  `insert into stat_changes select 'active_domains', 0, count(*) from domains
    where verified_at is not null and is_healthy is true having count(*) > 0`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    ...STATEMENTS,
    ...WORDS,
    ...FUNCTIONS,
    ...COUNTING_STORAGE,
    ...TRIGGERS,
    ...COUNTED,
  ])
    await sql.raw(statement).execute(db);
}
