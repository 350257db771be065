// Compares the migrated schema with the list of distribution columns: every table of user data is
// keyed by its user.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkDistribution, GAPS, PLACES } from './distribution.ts';
import { findAllWideLocks, findSkips, findWideFunctionLocks, findWideLocks } from './distribution-locks.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';

let database: TestDatabase;
let db: Kysely<never>;
beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db as unknown as Kysely<never>;
});
afterAll(() => database.drop());

test('every table is listed and keyed by its distribution column, except for the named gaps', async () => {
  const { problems, gaps } = await checkDistribution(db);
  expect(problems).toEqual([]);
  // A fixed gap must be removed from the list.
  expect(gaps).toEqual(Object.keys(GAPS).sort());
});

test('the documentation has the same table counts as the list', () => {
  const count = (spread: string) => Object.values(PLACES).filter(place => place.spread === spread).length;
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../docs/scaling.md'), 'utf8');
  expect(text).toContain(`- **By user**, ${count('user')} tables: `);
  expect(text).toContain(`- **By their own key**, ${count('own')} tables: `);
  expect(text).toContain(`- **Everywhere**, ${count('everywhere')}: `);
  expect(text).toContain(`**On one machine**, ${count('nowhere')}: `);
  expect(text).toContain(`No statement breaks that; ${Object.keys(GAPS).length} indexes and triggers do`);
});

test('a statement that locks rows stays on one machine', () => {
  expect(findAllWideLocks()).toEqual([]);
});

test('rows are claimed by the statements of one file', () => {
  // The other two claim nothing: they leave alone rows that another transaction is changing.
  expect(findSkips()).toEqual([
    'db/claim.ts',
    'features/clients/notifications/store.ts',
    'features/mailbox/messages/container-store.ts',
  ]);
});

test('database functions lock rows by their key', async () => {
  const { rows } = await sql<{ name: string; body: string }>`
    select proname as name, prosrc as body from pg_proc
    where pronamespace = 'public'::regnamespace and prosrc ~ '\\mfor (no key update|update|key share|share)\\M'`.execute(
    db,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(['lock_containers', 'lock_mailboxes']);
  expect(rows.flatMap(({ name, body }) => findWideFunctionLocks(name, body))).toEqual([]);
  expect(
    findWideFunctionLocks('f', 'begin perform 1 from blobs b where b.id = any(wanted) for key share; end'),
  ).toEqual(['f blobs']);
  expect(findWideFunctionLocks('f', 'select 1 from strangers for update')).toEqual([
    'f: a lock of no table that is known',
  ]);
});

test.each([
  [`trx.selectFrom('tags').selectAll().where('name', '=', name).forUpdate()`, ['x.ts tags']],
  [`trx.selectFrom('mailboxes').where('user_id', 'in', ids).forNoKeyUpdate()`, ['x.ts mailboxes']],
  [`sql\`select id from tags where name = \${name} for update skip locked\``, ['x.ts tags']],
  [`sql\`select 1 from strangers for share\``, ['x.ts: a lock of no table that is known']],
  [`trx.selectFrom('tags').selectAll().where('user_id', '=', userId).forUpdate()`, []],
  [`trx.selectFrom('outbound_recipients').orderBy('next_attempt_at').limit(1).forUpdate()`, []],
  [`sql\`select id from tags t where user_id = \${userId}::uuid for key share\``, []],
  [`sharedQueue('push_jobs', ['user_id', 'id'])`, ['x.ts push_jobs']],
  [`userQueue('push_jobs', ['id'])`, ['x.ts push_jobs']],
  [`userQueue('domains', ['user_id', 'domain'])`, ['x.ts domains']],
  [`sharedQueue('strangers', ['id'])`, ['x.ts: a queue of no table that is known']],
  [`userQueue('push_jobs', ['user_id', 'id'])`, []],
  [`sharedQueue('domains', ['user_id', 'domain'])`, []],
])('a canary: %s', (source, found) => {
  expect(findWideLocks('x.ts', source)).toEqual(found);
});

describe('a canary for each rule detects', () => {
  const problemsWith = async (...statements: string[]): Promise<string[]> => {
    let found: string[] = [];
    const undo = new Error('undo');
    await db
      .transaction()
      .execute(async trx => {
        for (const statement of statements) await sql.raw(statement).execute(trx);
        // The catalog returns them in any order.
        found = (await checkDistribution(trx)).problems.toSorted();
        throw undo;
      })
      .catch(error => {
        if (error !== undo) throw error;
      });
    return found;
  };

  test('a table without a placement', async () => {
    expect(await problemsWith('create table canaries (user_id uuid, song text)')).toEqual([
      'canaries is not in the list of tables',
    ]);
  });

  test('a primary key and a unique index without the user', async () => {
    expect(
      await problemsWith(
        'alter table records drop constraint records_pkey, add primary key (kind, id)',
        'create unique index canary on mails (message_id)',
      ),
    ).toEqual([
      'canary of mails is unique without user_id',
      'records_pkey of records is unique without user_id',
    ]);
  });

  test('user rows without a user id and a table without a primary key', async () => {
    expect(
      await problemsWith('alter table logins drop constraint logins_pkey, alter user_id drop not null'),
    ).toEqual(['logins has no primary key', 'logins has no user_id in every row, by which it is spread']);
  });

  test('a foreign key to another machine', async () => {
    expect(
      await problemsWith(
        'alter table mail_attachments add constraint canary foreign key (blob_id) references blobs (id)',
      ),
    ).toEqual(['canary of mail_attachments refers to rows of blobs on other machines']);
  });

  test('a trigger and a removed table', async () => {
    expect(
      await problemsWith(
        'create trigger canary after delete on tags for each row execute function forget_user_in_audit()',
        'drop table captchas_used',
      ),
    ).toEqual(['There is no table captchas_used', 'canary of tags is a trigger of a table that is spread']);
  });
});
