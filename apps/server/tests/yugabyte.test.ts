// Everything that runs on PostgreSQL runs unchanged on YugabyteDB, according to its documentation:
// no statement and no schema object needs a feature that it lacks (yugabyte-rules.ts). Migrations
// are applied one by one to a database that identifies itself as YugabyteDB, because an early
// migration may fail there even if a later one removes the cause.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { MIGRATION_NAMES, migrateUpTo } from '../src/db/migrate.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { findServerKind, kindOfVersion } from '../src/db/server-kind.ts';
import { startJobs } from '../src/jobs/schedule.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';
import { recordStatements } from './recorded-statements.ts';
import { liveADay } from './released-writes.ts';
import { EMBEDDED_ONLY, plain, readTexts, textsOf } from './sql-texts.ts';
import { LESS, NEEDS, RULES, type Rule } from './yugabyte-rules.ts';

const VERSION = 'PostgreSQL 15.12-YB-2025.2.3.0-b11 on x86_64-pc-linux-gnu, 64-bit';
const ALL: readonly Rule[] = [...RULES, ...NEEDS, ...LESS];

let app: TestApp;
let empty: EmptyDatabase;
let db: Db;
/** A database with our own `version()`, which takes precedence over the one in the catalog. */
beforeAll(async () => {
  app = await startTestApp();
  empty = await createEmptyDatabase();
  const pool = createPool({ connectionString: empty.url }, createLogger('silent'), 1);
  await pool.query(`create function version() returns text language sql as $$ select '${VERSION}' $$`);
  await pool.query(
    `alter database "${new URL(empty.url).pathname.slice(1)}" set search_path to public, pg_catalog`,
  );
  await pool.end();
  db = createDb(createPool({ connectionString: empty.url }, createLogger('silent'), 2));
});
afterAll(async () => {
  await db.destroy();
  await empty.drop();
  await app.close();
});

/** Returns the names of rules that a statement breaks or meets. */
const rulesOf = (text: string): string[] =>
  ALL.filter(rule => rule.text?.test(plain(text))).map(({ name }) => name);

const CATALOG = ALL.flatMap(({ name, catalog }) =>
  catalog === undefined ? [] : [`select '${name}' as rule, q.object::text from (${catalog}) q(object)`],
).join(' union all ');

/** Returns the schema objects that break or meet a rule, as `rule: object`. */
async function checkCatalog(place: Kysely<never>): Promise<string[]> {
  const { rows } = await sql.raw<{ rule: string; object: string }>(CATALOG).execute(place);
  return rows.map(({ rule, object }) => `${rule}: ${object}`).sort();
}
const isForbidden = (found: string): boolean => RULES.some(({ name }) => found.startsWith(`${name}: `));

/** Rules met by statements and by the schema. */
const met = new Set<string>();

test('migrations, job tables and a day of use avoid features that YugabyteDB lacks', async () => {
  expect(await findServerKind(db)).toBe('yugabyte');
  expect(await findServerKind(app.db)).toBe('postgres');
  const broken: string[] = [];
  const look = async (when: string) => {
    for (const found of await checkCatalog(db as unknown as Kysely<never>)) {
      met.add(found.slice(0, found.indexOf(': ')));
      if (isForbidden(found)) broken.push(`${when}: ${found}`);
    }
  };
  const listen = async (when: string, work: () => Promise<unknown>, least: number) => {
    const statements = new Set((await recordStatements(work)).map(({ text }) => text));
    expect(statements.size, when).toBeGreaterThan(least);
    for (const text of statements)
      for (const rule of rulesOf(text)) {
        met.add(rule);
        if (RULES.some(({ name }) => name === rule))
          broken.push(`${when}: ${rule}: ${plain(text).slice(0, 300)}`);
      }
  };
  for (const name of MIGRATION_NAMES) {
    await listen(name, () => migrateUpTo(db, name), 2);
    await look(name);
  }
  const schedule = async () =>
    (await startJobs({ ...app.deps, db }, { connectionString: empty.url })).close();
  await listen('the schedule', schedule, 20);
  await look('the schedule');
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'pgboss'::regnamespace and relkind = 'p'`.execute(
    db,
  );
  expect(rows).toEqual([]);
  await listen('a day', () => liveADay(app), 100);
  expect(broken).toEqual([]);
});

test('no SQL text in the sources uses a missing feature', () => {
  const broken: string[] = [];
  const less: string[] = [];
  const texts = readTexts();
  expect(texts.size).toBeGreaterThan(300);
  for (const [file, ofFile] of texts)
    for (const text of ofFile)
      for (const rule of rulesOf(text)) {
        met.add(rule);
        if (RULES.some(({ name }) => name === rule)) broken.push(`${file}: ${rule}: ${text.slice(0, 300)}`);
        if (LESS.some(({ name }) => name === rule)) less.push(`${file}: ${rule}`);
      }
  expect(broken).toEqual([]);
  expect([...new Set(less)]).toEqual(['features/operator/operations/storage-counts.ts: sizes']);
});

test('every required feature is used, and the documentation names its release and setting', () => {
  for (const { name } of [...NEEDS, ...LESS]) expect([...met], name).toContain(name);
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
  for (const { name, since, setting = '' } of NEEDS)
    expect(text).toContain(`| ${name} | ${since} | ${setting}`);
  const newest = NEEDS.map(({ since }) => since).sort((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )[0];
  expect(text).toContain(`YugabyteDB ${newest} or later`);
  expect(text).toContain(`${RULES.length} rules`);
});

test('the database kind is detected from its version', () => {
  expect(kindOfVersion(VERSION)).toBe('yugabyte');
  expect(kindOfVersion('PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit')).toBe('postgres');
});

test('texts are collected from strings, templates and method names, not from comments', () => {
  const source = `// xmin\nexport const a = \`select \${b}\n from T\`; trx.mergeInto('ctid'); const c = sql<{ d: 'e' }>\`f\`;`;
  expect(textsOf('x.ts', source).sort()).toEqual(['.mergeinto(', 'ctid', 'e', 'f', 'select $1 from t']);
  expect([...readTexts().keys()]).not.toContain(EMBEDDED_ONLY[0]);
});

describe('a canary for each rule', () => {
  const STATEMENTS: Readonly<Record<string, string>> = {
    'tables of a statement’s rows':
      'create trigger t after insert on tags referencing new table as n for each statement execute function f()',
    'system columns':
      'insert into tags values (1) on conflict (id) do update set id = 2 returning xmax = 0 as is_new',
    'transaction ids': 'select txid_current()',
    'locks of tables': 'LOCK TABLE tags IN SHARE MODE',
    MERGE: 'merge into tags using others on true when matched then delete',
    'two-phase commit': `prepare transaction 'a'`,
    'functions of XML': `select xmlparse(content 'a')`,
    'large objects': 'select lo_create(0)',
    'alterations of a table': 'alter table mails alter column summary set storage main',
    'care of tables': 'reindex table mails',
    'functions of PostgreSQL 16 and later': 'select uuidv7()',
    'words of PostgreSQL 16 and later': 'update tags set id = 1 returning old.id',
    'LISTEN and NOTIFY': 'listen mail',
    'advisory locks': 'select pg_try_advisory_lock(1)',
    'waiting for locks of rows': 'select 1 from tags for no key update',
    'changes of the schema within a transaction': 'create unlogged table a (b int)',
    sizes: 'select pg_database_size(current_database())',
  };
  const MORE: readonly (readonly [string, string])[] = [
    ['alterations of a table', 'alter table tags set (fillfactor = 70)'],
    ['alterations of a table', 'alter table tags alter column name set (n_distinct = 5)'],
    ['alterations of a table', 'alter table tags set unlogged'],
    ['words of PostgreSQL 16 and later', `select '{}'::jsonb is json object`],
    ['words of PostgreSQL 16 and later', 'select 1_000'],
    ['functions of PostgreSQL 16 and later', `select * from json_table('[]', '$' columns (a int))`],
    ['MERGE', '.mergeInto('],
  ];
  test.each([...Object.entries(STATEMENTS), ...MORE])('%s: %s', (rule, statement) => {
    expect(rulesOf(statement)).toContain(rule);
  });
  test('covers every text rule', () => {
    expect(Object.keys(STATEMENTS).sort()).toEqual(
      ALL.flatMap(({ name, text }) => (text === undefined ? [] : [name])).sort(),
    );
  });
  test.each([
    'select ctidy, xmin_of_page from tags where text like $1',
    'alter table tags alter column name set not null',
    'alter table tags add column size integer not null default 0',
    `select json_agg(json_build_object('id', 1)), jsonb_array_length(a) from tags`,
    'update tags set name = $1 returning id, name',
    'insert into rate_limits as counts values ($1) on conflict (key) do nothing',
  ])('accepts %s', statement => {
    expect(rulesOf(statement).filter(found => RULES.some(({ name }) => name === found))).toEqual([]);
  });

  const NEW_ROWS = `create function f() returns trigger language plpgsql as $$ begin return null; end $$`;
  const OBJECTS: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'tables of a statement’s rows',
      'canary',
      [
        NEW_ROWS,
        'create trigger canary after insert on tags referencing new table as n for each statement execute function f()',
      ],
    ],
    [
      'constraint triggers',
      'canary',
      [
        NEW_ROWS,
        'create constraint trigger canary after insert on tags deferrable for each row execute function f()',
      ],
    ],
    [
      'exclusion constraints',
      'canary',
      ['alter table tags add constraint canary exclude using btree (name with =)'],
    ],
    [
      'keys that may be deferred',
      'canary',
      ['alter table tags add constraint canary unique (user_id, name) deferrable'],
    ],
    [
      'constraints of PostgreSQL 18',
      'canary',
      ['alter table tags add constraint canary check (length(name) > 0) not enforced'],
    ],
    ['indexes of other kinds', 'canary', ['create index canary on mails using brin (received_at)']],
    [
      'GIN over several columns',
      'canary',
      ['create index canary on tags using gin (name gin_trgm_ops, color gin_trgm_ops)'],
    ],
    [
      'storage parameters of an index',
      'canary',
      ['create index canary on tags (color) with (fillfactor = 70)'],
    ],
    [
      'indexes of other types',
      'canary',
      ['alter table tags add column a text[]', 'create index canary on tags (a)'],
    ],
    ['columns of other types', 'tags.canary', ['alter table tags add column canary inet']],
    [
      'virtual columns',
      'tags.canary',
      ['alter table tags add column canary integer generated always as (length(name)) virtual'],
    ],
    ['compression of a column', 'tags.canary', ['alter table tags add column canary text compression pglz']],
    ['collations of our own', 'tags.canary', ['alter table tags add column canary text collate "POSIX"']],
    ['inheritance', 'canary', ['create table canary () inherits (tags)']],
    [
      'views that check',
      'canary',
      ['create view canary as select * from tags where color = $$red$$ with check option'],
    ],
    [
      'extensions',
      'canary',
      [
        `insert into pg_extension select 99999, 'canary', extowner, extnamespace, false, '1' from pg_extension where extname = 'plpgsql'`,
      ],
    ],
    [
      'languages of functions',
      'canary',
      [`create function canary(text) returns text language internal as 'upper'`],
    ],
    [
      'types by reference',
      'canary',
      ['create function canary() returns void language plpgsql as $$ declare a tags.name%type; begin end $$'],
    ],
    ['PostgreSQL 15', 'canary', ['create function canary() returns integer language sql return 1']],
    ['tables without a log', 'canary', ['create unlogged table canary (id uuid primary key)']],
    ['indexes by time', 'canary', ['create index canary on logins (created_at)']],
  ];
  test.each(OBJECTS)('detects %s in the schema', async (rule, object, statements) => {
    const undo = new Error('undo');
    let found: string[] = [];
    await app.db
      .transaction()
      .execute(async trx => {
        for (const statement of statements) await sql.raw(statement).execute(trx);
        found = await checkCatalog(trx as unknown as Kysely<never>);
        throw undo;
      })
      .catch(error => {
        if (error !== undo) throw error;
      });
    expect(found).toContain(`${rule}: ${object}`);
  });
  test('covers every schema rule, and every rule names its source', () => {
    expect(OBJECTS.map(([rule]) => rule).sort()).toEqual(
      ALL.flatMap(({ name, catalog }) => (catalog === undefined ? [] : [name])).sort(),
    );
    for (const { source, why } of ALL) expect([source, why]).not.toContain('');
  });
});
