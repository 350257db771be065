// An upgrade that is rolled back or in progress: this release on the schema of the next one. The
// next release is simulated by this one with further migrations. Additive migrations are accepted,
// writes of both releases are kept, and the next release resumes where it stopped.
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/base/logger.ts';
import { MIGRATION_NAMES, MIGRATIONS, migrate, type SchemaMigration } from '../src/db/migrate.ts';
import { createDb, createPool, type Db } from '../src/db/pool.ts';
import { startTestApp, type TestApp } from './harness/app.ts';
import { createEmptyDatabase, type EmptyDatabase } from './harness/database.ts';
import { registerTestUser } from './harness/users.ts';

const running = (...statements: string[]) => ({
  up: async (db: Kysely<unknown>): Promise<void> => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});
const ADDING: Readonly<Record<string, SchemaMigration>> = {
  '9000-moods': running(
    'create table moods (user_id uuid primary key, mood text not null)',
    "alter table users add column mood text not null default 'calm'",
    'create index tags_mood on tags (color, name)',
  ),
  '9001-more-moods': running('alter table moods add column since timestamptz'),
};
const NEXT = { ...MIGRATIONS, ...ADDING };

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const refusalOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    (error: Error) => `${error.name}: ${error.message}`,
  );

/** An empty database for one test. */
async function withDatabase(work: (db: Db, empty: EmptyDatabase) => Promise<void>): Promise<void> {
  const empty = await createEmptyDatabase();
  const db = createDb(createPool({ connectionString: empty.url }, createLogger('silent'), 2));
  try {
    await work(db, empty);
  } finally {
    await db.destroy();
    await empty.drop();
  }
}

test('this release works on a schema extended by the next one, and the next one can continue', async () => {
  const before = await registerTestUser(app);
  expect(await migrate(app.db, NEXT)).toEqual([]);
  await sql`insert into moods (user_id, mood) select id, 'glad' from users`.execute(app.db);
  // The first step of every start of this release.
  expect(await migrate(app.db)).toEqual(Object.keys(ADDING));
  const after = await registerTestUser(app);
  await before.client.tags.save({ tag: { name: 'Written before', color: 'blue' } });
  await after.client.tags.save({ tag: { name: 'Written after', color: 'blue' } });
  expect(await migrate(app.db, NEXT)).toEqual([]);
  const { rows } = await sql<{ email: string; mood: string; glad: string | null }>`
    select u.email, u.mood, m.mood as glad from users u left join moods m on m.user_id = u.id order by u.created_at`.execute(
    app.db,
  );
  expect(rows).toEqual([
    { email: before.email, mood: 'calm', glad: 'glad' },
    { email: after.email, mood: 'calm', glad: null },
  ]);
});

test('a schema contracted by a newer release is refused with one line unless this release meets its needs', () =>
  withDatabase(async db => {
    const tip = MIGRATION_NAMES.at(-1) ?? '';
    const bearable = { ...MIGRATIONS, '9000-drop': { ...running('drop table if exists moods'), needs: tip } };
    await migrate(db, bearable);
    expect(await migrate(db)).toEqual(['9000-drop']);
    await migrate(db, {
      ...bearable,
      ...ADDING,
      '9002-drop': { ...running('drop table moods'), needs: '9001-more-moods' },
    });
    const said = await refusalOf(migrate(db));
    expect(said).toMatch(
      /^StartRefused: A newer version of Keyfold changed the database, .* \(9002-drop\)\. Install that version again, or /,
    );
    expect(said).not.toContain('\n');
  }));

test('an unknown migration without a description is refused', () =>
  withDatabase(async db => {
    await migrate(db);
    await sql`insert into kysely_migration (name, timestamp) values ('9000-unknown', now()::text)`.execute(
      db,
    );
    expect(await refusalOf(migrate(db))).toContain('(9000-unknown)');
  }));

test('a migration of this release that the next one lacks is applied on top', () =>
  withDatabase(async db => {
    const patch = { '0999-patch': running('create table patched (id int)') };
    await migrate(db, NEXT);
    expect(await migrate(db, { ...MIGRATIONS, ...patch })).toEqual(Object.keys(ADDING));
    expect((await sql`select 1 from patched`.execute(db)).rows).toEqual([]);
    expect(await migrate(db, { ...NEXT, ...patch })).toEqual([]);
  }));
