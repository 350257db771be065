import { randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { makeNewMail, type TestMail } from '../../../../tests/harness/mailbox.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { storeMails } from '../../mailbox/messages/index.ts';

let app: TestApp;
let alice: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp();
  alice = await registerTestUser(app);
  bob = await registerTestUser(app);
});
afterAll(() => app.close());

async function store(user: TestUser, mails: readonly TestMail[]): Promise<string[]> {
  const { id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow();
  const stored = await app.db.transaction().execute(trx =>
    storeMails(
      trx,
      mails.map(mail => makeNewMail(id, mail)),
    ),
  );
  return stored.map(mail => mail.id);
}

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

test('messages are fetched by id, newest first, and only the caller’s own', async () => {
  const [older = '', newer = ''] = await store(alice, [{ receivedAt: at(1) }, { receivedAt: at(2) }]);
  const [hers = ''] = await store(bob, [{}]);
  const ids = [older, hers, 'not-an-id', randomUUIDv7(), newer, older];
  const { data } = await alice.client.mail.some({ ids });
  expect(data.map(mail => mail.id)).toEqual([newer, older]);
  expect(data.every(mail => mail.body === undefined)).toBe(true);
  const full = await alice.client.mail.some({ ids, view: 'full' });
  expect(full.data.every(mail => typeof mail.body === 'string')).toBe(true);
  expect((await bob.client.mail.some({ ids: [older, newer] })).data).toEqual([]);
  expect(await codeOf(alice.client.mail.some({ ids: [] }))).toBe('400 malformed');
});

test('all ids of a mailbox are listed page by page, last stored first, in every folder', async () => {
  const stored = await store(alice, [
    { receivedAt: at(9), flags: { flagged: true } },
    { receivedAt: at(3), flags: { sent: true } },
    { receivedAt: at(5), flags: { archived: true, read: true } },
  ]);
  const seen: string[] = [];
  let lastId: string | undefined;
  for (;;) {
    const page = await alice.client.mail.ids({
      count: 2,
      ...(lastId === undefined ? {} : { last_id: lastId }),
    });
    expect(page.count).toBe(5);
    if (page.data.length === 0) break;
    seen.push(...page.data.map(([id]) => id));
    lastId = seen.at(-1);
  }
  expect(seen.toSorted().toReversed()).toEqual(seen);
  expect(new Set(seen.slice(0, 3))).toEqual(new Set(stored));
  expect(seen).toHaveLength(5);
  const first = await alice.client.mail.ids({ count: 1 });
  expect([at(3), at(5), at(9)].map(time => time.toISOString())).toContain(first.data[0]?.[1]);
  expect(await codeOf(alice.client.mail.ids({ last_id: 'x' }))).toBe('400 malformed');
});
