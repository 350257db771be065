// Counters of mailboxes and encrypted blobs in a database that counted with statement-level
// triggers over transition tables: after 0115 they continue from their values, row by row, and a
// new database has the same triggers.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { MIGRATION_NAMES, migrate, migrateUpTo } from '../src/db/migrate.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';
import { insertTestUser } from './harness/mailbox.ts';

const BEFORE = MIGRATION_NAMES[MIGRATION_NAMES.indexOf('0115-counting-by-rows') - 1] ?? '';
/** Triggers as 0034 and 0037 created them before 0115. */
const FORMER = [
  'drop index users_by_words_of_name, users_by_words_of_email',
  'create index users_by_words on users using gin (lower(name) gin_trgm_ops, lower(email) gin_trgm_ops)',
  'drop trigger mailboxes_come on mailboxes',
  'drop trigger mailboxes_grow on mailboxes',
  'drop trigger mailboxes_go on mailboxes',
  `create or replace function count_storage() returns trigger language plpgsql as $$
  declare
    amount bigint := 0;
  begin
    if tg_op <> 'INSERT' then amount := amount - (select coalesce(sum(used_bytes), 0) from before); end if;
    if tg_op <> 'DELETE' then amount := amount + (select coalesce(sum(used_bytes), 0) from after); end if;
    if amount <> 0 then insert into stat_changes values ('storage', 0, amount); end if;
    return null;
  end $$`,
  `create trigger mailboxes_come after insert on mailboxes
    referencing new table as after for each statement execute function count_storage()`,
  `create trigger mailboxes_grow after update on mailboxes
    referencing old table as before new table as after for each statement execute function count_storage()`,
  `create trigger mailboxes_go after delete on mailboxes
    referencing old table as before for each statement execute function count_storage()`,
  'drop trigger blobs_come_counted on blobs',
  `create or replace function note_blobs_come() returns trigger language plpgsql as $$
  begin
    insert into storage_changes (kind, items, size_bytes)
      select 'containers', count(*), sum(size_bytes) from rows_now having count(*) > 0;
    return null;
  end $$`,
  `create trigger blobs_come_counted after insert on blobs
    referencing new table as rows_now for each statement execute function note_blobs_come()`,
] as const;

let empty: EmptyDatabase;
let fresh: EmptyDatabase;
let db: Db;
let other: Db;
beforeAll(async () => {
  [empty, fresh] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const open = ({ url }: EmptyDatabase) =>
    createDb(createPool({ connectionString: url }, createLogger('silent'), 2));
  [db, other] = [open(empty), open(fresh)];
});
afterAll(async () => {
  await Promise.all([db.destroy(), other.destroy()]);
  await Promise.all([empty.drop(), fresh.drop()]);
});

async function run(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
async function sums() {
  const { rows } = await sql<{ kind: string; items: number; bytes: number }>`
    select 'mailboxes' as kind, 0 as items, sum(amount)::float8 as bytes from stat_changes where kind = 'storage'
    union all select kind, sum(items)::float8, sum(size_bytes)::float8 from (
      select kind, items, size_bytes from storage_changes union all select kind, items, size_bytes from storage_totals
    ) s group by kind order by kind`.execute(db);
  const truth = await sql<{ kind: string; items: number; bytes: number }>`
    select 'mailboxes' as kind, 0 as items, coalesce(sum(used_bytes), 0)::float8 as bytes from mailboxes
    union all select 'containers', count(*)::float8, coalesce(sum(size_bytes), 0)::float8 from blobs
    union all select 'search', count(*)::float8, coalesce(sum(size_bytes), 0)::float8 from search_segments
    order by kind`.execute(db);
  return { kept: rows, truth: truth.rows };
}
const shapeOf = async (place: Db) =>
  (
    await sql<{ said: string }>`
      select pg_get_triggerdef(g.oid) || p.prosrc as said from pg_trigger g join pg_proc p on p.oid = g.tgfoid
      where not g.tgisinternal union all select indexdef from pg_indexes where tablename = 'users' order by said`.execute(
      place,
    )
  ).rows;
const live = (from: number): readonly string[] => [
  `insert into mailboxes (user_id, used_bytes) select gen_random_uuid(), n from generate_series(${from}, ${from + 4}) n`,
  'update mailboxes set version = version + 1',
  'update mailboxes set used_bytes = used_bytes + 7',
  `delete from mailboxes where used_bytes = ${from + 7}`,
  `insert into blobs (id, size_bytes) select gen_random_uuid(), n from generate_series(${from}, ${from + 4}) n`,
  'update blobs set size_bytes = size_bytes * 2',
  'update blobs set created_at = now()',
  `delete from blobs where size_bytes = ${from * 2}`,
  `insert into search_segments (user_id, blob_id, size_bytes, head, created_at)
    select id, gen_random_uuid(), n, '', now() from users, generate_series(${from}, ${from + 4}) n`,
  'update search_segments set size_bytes = size_bytes + 3',
  `delete from search_segments where size_bytes = ${from + 3}`,
];

test('sums are correct before and after the migration, and the schema equals that of a fresh database', async () => {
  await migrateUpTo(db, BEFORE);
  await insertTestUser(db, 'ann@keyfold.test');
  await run(...FORMER, ...live(100));
  const before = await sums();
  expect(before.kept).toEqual(before.truth);
  await migrate(db);
  await run(...live(1_000));
  const after = await sums();
  expect(after.kept).toEqual(after.truth);
  await migrate(other);
  expect(await shapeOf(db)).toEqual(await shapeOf(other));
  const { rows } =
    await sql`select 1 from pg_trigger where tgoldtable is not null or tgnewtable is not null`.execute(db);
  expect(rows).toEqual([]);
});

test('a change that leaves the byte counts alone adds no row', async () => {
  await run('delete from stat_changes', 'delete from storage_changes');
  await run('update mailboxes set version = version + 1', 'update blobs set created_at = now()');
  const { rows } = await sql`select 1 from stat_changes union all select 1 from storage_changes`.execute(db);
  expect(rows).toEqual([]);
});
