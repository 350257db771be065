// Locks on several rows are taken one by one, each by its key (tests/distribution-locks.ts), with
// the guarantees of a single statement: no deadlocks, a waiting transaction sees the changes made
// in the meantime, and only one of two transactions gets the same row.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertLogin } from '../src/features/accounts/auth/access-store.ts';
import { lockSupers } from '../src/features/accounts/users/index.ts';
import { claimJob } from '../src/features/clients/notifications/queue-store.ts';
import { insertImport, leaseImport } from '../src/features/imports/server-import/store.ts';
import { lockContainers } from '../src/features/mailbox/messages/container-store.ts';
import { lockMailboxes } from '../src/features/mailbox/messages/store.ts';
import { lockDueSend } from '../src/features/outbound/sending/held-store.ts';
import { createTestDatabase, type TestDatabase } from './harness/database.ts';
import { insertTestUser } from './harness/mailbox.ts';

let database: TestDatabase;
let users: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  users = [];
  for (let index = 0; index < 6; index++)
    users.push(await insertTestUser(database.db, `${randomUUID()}@keyfold.test`));
  users.sort();
});
afterAll(() => database.drop());

/**
 * Returns the result of `second` in a transaction that starts while another one has run `first` and
 * not yet ended.
 */
async function meanwhile<T>(
  first: (trx: Parameters<typeof lockMailboxes>[0]) => Promise<unknown>,
  second: (trx: Parameters<typeof lockMailboxes>[0]) => Promise<T>,
): Promise<T> {
  let answer: Promise<T> | undefined;
  await database.db.transaction().execute(async trx => {
    await first(trx);
    answer = database.db.transaction().execute(second);
    await waitFor(answer);
  });
  if (answer === undefined) throw new Error('Nothing was asked');
  return answer;
}
/** Gives a query time to reach the lock. An immediate answer is not an error. */
const waitFor = (answer: Promise<unknown>): Promise<unknown> =>
  Promise.race([answer.catch(() => undefined), new Promise(resolve => setTimeout(resolve, 150))]);

test('lockMailboxes returns existing mailboxes once each, in a fixed order', async () => {
  const wanted = [...users].reverse();
  const boxes = await database.db
    .transaction()
    .execute(trx => lockMailboxes(trx, [...wanted, users[0] ?? '', randomUUID()]));
  expect(boxes.map(({ user_id }) => user_id)).toEqual(users);
  expect(
    boxes.every(({ used_bytes, last_arrival }) => used_bytes === 0 && last_arrival instanceof Date),
  ).toBe(true);
  expect(await database.db.transaction().execute(trx => lockMailboxes(trx, []))).toEqual([]);
  expect(await database.db.transaction().execute(trx => lockMailboxes(trx, [randomUUID()]))).toEqual([]);
});

test('lockMailboxes in any order causes no deadlock and reads the newest sizes', async () => {
  const add = (order: readonly string[]) =>
    database.db.transaction().execute(async trx => {
      for (const { user_id, used_bytes } of await lockMailboxes(trx, order))
        await trx
          .updateTable('mailboxes')
          .set({ used_bytes: used_bytes + 1 })
          .where('user_id', '=', user_id)
          .execute();
    });
  const turned = (by: number) => [...users.slice(by), ...users.slice(0, by)];
  await Promise.all(
    Array.from({ length: 40 }, (_, at) => add(at % 2 === 0 ? turned(at % 6) : turned(at % 6).reverse())),
  );
  const rows = await database.db
    .selectFrom('mailboxes')
    .select('used_bytes')
    .where('user_id', 'in', users)
    .execute();
  // If the values were read before the lock, some of the forty updates would have been overwritten.
  expect(rows.map(({ used_bytes }) => used_bytes)).toEqual(users.map(() => 40));
});

test('a lock statement of the previous release and lockMailboxes lock in the same order', async () => {
  const former = () =>
    database.db.transaction().execute(trx =>
      trx
        .selectFrom('mailboxes')
        .select('user_id')
        .where('user_id', 'in', [...users].reverse())
        .orderBy('user_id')
        .forUpdate()
        .execute(),
    );
  const now = () => database.db.transaction().execute(trx => lockMailboxes(trx, [...users].reverse()));
  await Promise.all(Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? former() : now())));
});

test('lockContainers prevents collection and throws for a missing container', async () => {
  const ids = [randomUUID(), randomUUID()];
  const { db } = database;
  await db
    .insertInto('blobs')
    .values(ids.map(id => ({ id, size_bytes: 0 })))
    .execute();
  const gone = (trx: Parameters<typeof lockContainers>[0]) =>
    trx.deleteFrom('blobs').where('id', 'in', ids).execute();
  let isCommitted = false;
  await meanwhile(
    async trx => {
      await lockContainers(trx, [...ids, ...ids]);
      setTimeout(() => {
        isCommitted = true;
      }, 100);
    },
    async trx => {
      await gone(trx);
      expect(isCommitted).toBe(true);
    },
  );
  await expect(db.transaction().execute(trx => lockContainers(trx, ids))).rejects.toThrow(
    'A container no longer exists',
  );
});

test('lockSupers returns only users who are still super admins after the wait', async () => {
  const { db } = database;
  const [ann = '', ben = ''] = users;
  await db
    .updateTable('users')
    .set({ is_admin: true, admin_level: 'super' })
    .where('id', 'in', [ann, ben])
    .execute();
  const supers = await meanwhile(
    async trx => {
      expect(await lockSupers(trx)).toEqual([ann, ben]);
      await trx.updateTable('users').set({ admin_level: 'standard' }).where('id', '=', ben).execute();
    },
    trx => lockSupers(trx),
  );
  expect(supers).toEqual([ann]);
  await db
    .updateTable('users')
    .set({ is_admin: false, admin_level: null })
    .where('id', 'in', [ann, ben])
    .execute();
});

test('insertLogin records a sign-in for an existing account and ignores an unknown one', async () => {
  const { db } = database;
  const login = {
    outcome: 'signed_in',
    browser: null,
    system: null,
    address: '192.0.2.0/24',
    now: new Date(),
  } as const;
  const user = await db
    .selectFrom('users')
    .select('kdf_email')
    .where('id', '=', users[0] ?? '')
    .executeTakeFirstOrThrow();
  await insertLogin(db, user.kdf_email, { ...login, id: randomUUID() });
  await insertLogin(db, 'nobody@keyfold.test', { ...login, id: randomUUID() });
  const rows = await db.selectFrom('logins').select('user_id').execute();
  expect(rows).toEqual([{ user_id: users[0] }]);
});

test('the send that is longest overdue is found behind any number of locked ones', async () => {
  const { db } = database;
  const now = new Date();
  const mails = Array.from({ length: 19 }, () => randomUUID());
  const held = mails.map((mail_id, at) => ({
    user_id: users[at % 6] ?? '',
    mail_id,
    due_at: new Date(now.getTime() - (20 - at) * 1_000),
    headers: '',
    message_references: [],
    outbound_id: null,
    twin_id: null,
  }));
  await db.insertInto('held_sends').values(held).execute();
  await db.transaction().execute(async trx => {
    for (const mail_id of mails.slice(0, 17))
      await trx
        .selectFrom('held_sends')
        .select('mail_id')
        .where('mail_id', '=', mail_id)
        .forUpdate()
        .execute();
    const found = await db.transaction().execute(other => lockDueSend(other, now, [mails[17] ?? '']));
    expect(found?.mail_id).toBe(mails[18]);
    const rest = await db.transaction().execute(other => lockDueSend(other, now, mails.slice(17)));
    expect(rest).toBeUndefined();
  });
  expect((await db.transaction().execute(trx => lockDueSend(trx, now, [])))?.mail_id).toBe(mails[0]);
  await db.deleteFrom('held_sends').execute();
});

test('concurrent workers claim different imports, oldest first', async () => {
  const { db } = database;
  const now = new Date();
  const ids: string[] = [];
  for (const [at, userId] of users.entries()) {
    const id = randomUUID();
    ids.push(id);
    const row = { userId, id, kind: 'imap', secretSealed: Buffer.alloc(8), hasFolderTags: false } as const;
    await insertImport(db, { ...row, now: new Date(now.getTime() - (10 - at) * 1_000) });
  }
  const first = await leaseImport(db, 'imap', now, 60_000);
  expect(first?.id).toBe(ids[0]);
  const taken = await Promise.all(users.map(() => leaseImport(db, 'imap', now, 60_000)));
  expect(taken.map(one => one?.id ?? '').sort()).toEqual([...ids.slice(1), ''].sort());
  expect(await leaseImport(db, 'imap', now, 60_000)).toBeUndefined();
  expect((await leaseImport(db, 'imap', new Date(now.getTime() + 60_000), 60_000))?.userId).toBeDefined();
});

test('concurrent workers claim different pushes, and none for a user at the limit', async () => {
  const { db } = database;
  const now = new Date();
  const jobs = users.slice(0, 4).map((user_id, at) => ({
    id: randomUUID(),
    user_id,
    device_id: randomUUID(),
    type: 'test' as const,
    mail_id: null,
    created_at: now,
    next_attempt_at: new Date(now.getTime() - (10 - at) * 1_000),
  }));
  await db
    .insertInto('push_devices')
    .values(
      jobs.map(({ user_id, device_id }) => ({
        user_id,
        id: device_id,
        kind: 'fcm',
        token_hash: randomBytes(32),
        token_sealed: Buffer.alloc(8),
        words_sealed: Buffer.alloc(8),
        session_id: randomUUID(),
        family_id: null,
        preferences: '{}',
        created_at: now,
        seen_at: now,
        burst_since: now,
      })),
    )
    .execute();
  await db.insertInto('push_jobs').values(jobs).execute();
  const claim = () =>
    claimJob(db, {
      kinds: ['fcm'],
      served: [],
      now,
      leasedUntil: new Date(now.getTime() + 60_000),
      atOncePerUser: 1,
    });
  expect((await claim())?.id).toBe(jobs[0]?.id);
  await db
    .insertInto('push_jobs')
    .values({ ...jobs[0], id: randomUUID() } as (typeof jobs)[number])
    .execute();
  const taken = await Promise.all(jobs.map(claim));
  expect(taken.map(one => one?.id ?? '').sort()).toEqual([...jobs.slice(1).map(({ id }) => id), ''].sort());
  expect(await claim()).toBeUndefined();
});
