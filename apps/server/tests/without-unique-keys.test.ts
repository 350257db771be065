// Substitutes for unique keys that a distributed table cannot have (docs/scaling.md, Citus): the
// same guarantees hold without the keys, so that a later release can remove them.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './harness/app.ts';
import { codeOf } from './harness/codes.ts';
import { registerTestUser, userIdOf } from './harness/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  for (const statement of [
    'alter table users drop constraint users_kdf_email_key',
    'alter table sessions drop constraint sessions_id_key',
    'drop index addresses_default',
  ])
    await sql.raw(statement).execute(app.db);
});
afterAll(() => app.close());

test('concurrent registrations of one name create one account', async () => {
  const asked = Array.from({ length: 6 }, () => registerTestUser(app, { username: 'wanted' }));
  const codes = await Promise.all(asked.map(codeOf));
  expect(codes.sort()).toEqual([...Array.from({ length: 5 }, () => '409 address_taken'), 'none']);
  const email = `wanted@${app.config.domains[0]}`;
  expect(await app.db.selectFrom('users').select('email').where('kdf_email', '=', email).execute()).toEqual([
    { email },
  ]);
  expect(await codeOf(registerTestUser(app, { username: 'wanted' }))).toBe('409 address_taken');
});

test('a user has one default address after concurrent changes', async () => {
  const ann = await registerTestUser(app);
  await app.db.updateTable('users').set({ plan: 'pro' }).execute();
  const addresses = [`one.${ann.email}`, `two.${ann.email}`];
  for (const address of addresses) await ann.client.addresses.create({ address });
  const turns = Array.from({ length: 10 }, (_, at) => addresses[at % 2] ?? '');
  await Promise.all(turns.map(address => ann.client.addresses.change({ address, is_default: true })));
  const rows = await app.db
    .selectFrom('addresses')
    .select('address')
    .where('user_id', '=', await userIdOf(app.db, ann))
    .where('is_default', '=', true)
    .execute();
  expect(rows).toHaveLength(1);
});
