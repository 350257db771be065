// Machines are replaced one by one, so the previous release runs on the newest schema for a while:
// migrations since the baseline may only add (docs/scaling.md, Upgrades). Each migration is applied
// separately and compared with the schema before it.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { MIGRATION_NAMES, MIGRATION_NEEDS, migrateUpTo } from '../src/db/migrate.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { findContractions, readSchema } from './expanding.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';

/** Last migration of the schema that the first release starts from. */
const BASELINE = '0060-push-by-user';

/**
 * Permitted contractions, by migration: what is removed, and `since`, the first release that did
 * not use it. The test fails for a listed sentence that is not found, just as for a contraction
 * that is not listed.
 */
const CONTRACTS: Readonly<Record<string, { readonly since: string; readonly what: readonly string[] }>> = {};

let empty: EmptyDatabase;
let db: Db;
beforeAll(async () => {
  empty = await createEmptyDatabase();
  db = createDb(createPool({ connectionString: empty.url }, createLogger('silent'), 2));
});
afterAll(async () => {
  await db.destroy();
  await empty.drop();
});
const schemaOf = (place: unknown) => readSchema(place as Parameters<typeof readSchema>[0]);

test('no migration since the baseline removes anything that the previous release uses', async () => {
  const from = MIGRATION_NAMES.indexOf(BASELINE);
  expect(from).toBeGreaterThan(-1);
  await migrateUpTo(db, BASELINE);
  const found: Record<string, readonly string[]> = {};
  let before = await schemaOf(db);
  for (const name of MIGRATION_NAMES.slice(from + 1)) {
    await migrateUpTo(db, name);
    const after = await schemaOf(db);
    const contractions = findContractions(before, after);
    if (contractions.length > 0) found[name] = contractions;
    before = after;
  }
  // The migration itself tells the previous release whether it may keep running.
  expect(Object.keys(MIGRATION_NEEDS)).toEqual(Object.keys(CONTRACTS));
  expect(found).toEqual(
    Object.fromEntries(Object.entries(CONTRACTS).map(([name, { what }]) => [name, what])),
  );
});

test.each([
  ['alter table tags rename to labels', 'tags.name is gone or has another name'],
  ['alter table tags rename column color to colour', 'tags.color is gone or has another name'],
  ['drop table push_shown', 'push_shown.user_id is gone or has another name'],
  ['alter table tags drop column color', 'tags.color is gone or has another name'],
  [
    'alter table tags alter column color type varchar(10)',
    'tags.color was text and is character varying(10)',
  ],
  [
    'alter table tags add column size integer not null',
    'tags.size must be given, and is not known or was not needed',
  ],
  [
    'alter table users alter column affiliate_code set not null',
    'users.affiliate_code must be given, and is not known or was not needed',
  ],
  [
    'alter table sessions alter column ends_at drop default',
    'sessions.ends_at must be given, and is not known or was not needed',
  ],
  [
    'alter table tags add constraint short check (length(name) < 9)',
    'tags short refuses rows that were taken: CHECK ((length(name) < 9))',
  ],
  [
    'create unique index canary on tags (color)',
    'tags canary refuses rows that were taken: tags btree (color)',
  ],
  [
    `alter table send_holds drop constraint send_holds_reason_check,
       add constraint send_holds_reason_check check (reason in ('strangers', 'refusals'))`,
    `send_holds send_holds_reason_check refuses rows that were taken: CHECK ((reason = ANY (ARRAY['strangers'::text, 'refusals'::text])))`,
  ],
  ['alter table tags drop constraint tags_pkey', 'There is no unique key tags btree (user_id, id) any more'],
  [
    'create trigger canary after delete on tags for each row execute function forget_user_in_audit()',
    'tags canary does something at each change that was not done, or otherwise',
  ],
  ['drop trigger users_gone on users', 'users users_gone does no more what the program relies on'],
])('a canary: %s', async (statement, sentence) => {
  const undo = new Error('undo');
  const before = await schemaOf(db);
  await db
    .transaction()
    .execute(async trx => {
      await sql.raw(statement).execute(trx);
      expect(findContractions(before, await schemaOf(trx))).toContain(sentence);
      throw undo;
    })
    .catch(error => {
      if (error !== undo) throw error;
    });
});

test.each([
  'create table canaries (user_id uuid primary key)',
  'alter table tags add column size integer',
  'alter table tags add column size integer not null default 0',
  'create index canary on tags (color)',
  'alter table users alter column kdf_email drop not null',
  `alter table send_holds drop constraint send_holds_reason_check, add constraint send_holds_reason_check
     check (reason in ('strangers', 'refusals', 'content', 'complaints', 'whim'))`,
])('a purely additive change is accepted: %s', async statement => {
  const undo = new Error('undo');
  const before = await schemaOf(db);
  await db
    .transaction()
    .execute(async trx => {
      await sql.raw(statement).execute(trx);
      expect(findContractions(before, await schemaOf(trx))).toEqual([]);
      throw undo;
    })
    .catch(error => {
      if (error !== undo) throw error;
    });
});
