// Batch lookups of whether this service accepts mail for addresses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { insertTestUser } from '../../../../tests/harness/mailbox.ts';
import { readConfig } from '../../../config/config.ts';
import { findUnknown } from './recipients.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a hundred addresses and a hundred role addresses are resolved in a few queries', async () => {
  const config = readConfig({ KEYFOLD_DOMAINS: 'keyfold.test,other.test' });
  const owner = await insertTestUser(database.db, 'ann@keyfold.test');
  await database.db
    .insertInto('domains')
    .values({
      domain: 'ann.test',
      user_id: owner,
      token: 'x',
      verified_at: new Date(),
      next_check_at: new Date(),
    })
    .execute();
  let questions = 0;
  const db = database.db.withPlugin({
    transformQuery: ({ node }) => {
      questions++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const others = Array.from({ length: 100 }, (_, index) => [
    `x@d${index}.example`,
    `abuse@d${index}.example`,
  ]);
  const asked = [
    'nobody@keyfold.test',
    'abuse@other.test',
    'nobody@ann.test',
    'postmaster+x@ann.test',
    'ann@keyfold.test',
    ...others.flat(),
  ];
  // The service's own domains have no postmaster yet; a custom domain's owner is its postmaster.
  const unknown = await findUnknown({ db, config }, asked);
  expect([...unknown]).toEqual(['nobody@keyfold.test', 'abuse@other.test', 'nobody@ann.test']);
  expect(questions).toBeLessThan(5);
  await database.db
    .updateTable('users')
    .set({ is_admin: true, admin_level: 'super' })
    .where('id', '=', owner)
    .execute();
  expect([...(await findUnknown({ db, config }, asked))]).toEqual(['nobody@keyfold.test', 'nobody@ann.test']);
});
