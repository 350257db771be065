import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { recount } from '../../../../tests/harness/inbound.ts';
import { type NewMail, sizeOf } from '../../mailbox/messages/index.ts';
import { createCommitQueue } from './commit-queue.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
afterEach(() => {
  vi.useRealTimers();
});

async function addMailbox(usedBytes = 0): Promise<string> {
  const userId = randomUUIDv7();
  await database.db.insertInto('mailboxes').values({ user_id: userId, used_bytes: usedBytes }).execute();
  return userId;
}

const makeMail = (userId: string, messageId: string, references: string[] = []): NewMail => ({
  userId,
  flags: 256,
  receivedAt: new Date(),
  headers: `Message-ID: ${messageId}\r\n`,
  fromAddress: 'al@sender.test',
  ownAddress: 'bob@keyfold.test',
  messageId,
  references,
  body: randomBytes(100),
  summary: null,
  binding: randomBytes(32),
  ciphertext: null,
  encryptedKey: null,
  dhPublic: null,
  salt: null,
  keyUsed: null,
  receiptDigest: Buffer.from(messageId.padEnd(32)),
});

const mailsOf = (userId: string) =>
  database.db
    .selectFrom('mails')
    .select(['message_id', 'thread_id', 'arrived_at'])
    .where('user_id', '=', userId)
    .orderBy('arrived_at')
    .execute();

const ROOMY = 1_000_000;

test('concurrent deliveries are all stored, each with its own arrival time', async () => {
  const queue = createCommitQueue(database.db);
  const users = await Promise.all([addMailbox(), addMailbox(), addMailbox()]);
  await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      queue.store({ mails: [makeMail(users[n % 3] ?? '', `<${n}@x>`)], limitsBytes: [ROOMY] }),
    ),
  );
  for (const userId of users) {
    const rows = await mailsOf(userId);
    expect(rows).toHaveLength(40);
    expect(new Set(rows.map(row => row.arrived_at.getTime())).size).toBe(40);
    await recount(database.db, userId);
  }
});

test('a delivery that cannot be stored does not spoil the others of its batch', async () => {
  const queue = createCommitQueue(database.db);
  const userId = await addMailbox();
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => {
      // No user has this mailbox, so the whole transaction fails.
      const owner = n === 7 ? randomUUIDv7() : userId;
      return queue.store({ mails: [makeMail(owner, `<b${n}@x>`)], limitsBytes: [ROOMY] });
    }),
  );
  expect(results.map(({ status }) => status).indexOf('rejected')).toBe(7);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(await mailsOf(userId)).toHaveLength(19);
  await recount(database.db, userId);
});

test('the quota holds for many messages at once', async () => {
  const queue = createCommitQueue(database.db);
  const userId = await addMailbox();
  const mails = Array.from({ length: 50 }, (_, n) => makeMail(userId, `<q${String(n).padStart(2, '0')}@x>`));
  const limitBytes = 10 * sizeOf(mails[0] as NewMail);
  const results = await Promise.allSettled(
    mails.map(mail => queue.store({ mails: [mail], limitsBytes: [limitBytes] })),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  expect(await mailsOf(userId)).toHaveLength(10);
  await recount(database.db, userId);
});

const addWaiting = (userId: string, size_bytes: number) =>
  database.db
    .insertInto('import_containers')
    .values({ user_id: userId, blob_id: randomUUIDv7(), size_bytes, created_at: new Date() })
    .execute();

test('pending import files count toward the mailbox quota and the reported limit', async () => {
  const queue = createCommitQueue(database.db);
  const userId = await addMailbox(100);
  const mail = makeMail(userId, '<w1@x>');
  const store = (limitBytes: number) => queue.store({ mails: [mail], limitsBytes: [limitBytes] });
  await addWaiting(userId, 5_000);
  await addWaiting(userId, 2_000);
  await expect(store(7_099 + sizeOf(mail))).rejects.toMatchObject({ code: 'quota_exceeded' });
  expect(await mailsOf(userId)).toHaveLength(0);
  await store(7_100 + sizeOf(mail));
  expect(await mailsOf(userId)).toHaveLength(1);
});

test('a concurrent duplicate is stored once, and replies in the same batch join their conversation', async () => {
  const queue = createCommitQueue(database.db);
  const userId = await addMailbox();
  const first = makeMail(userId, '<root@x>');
  await Promise.all(
    [
      makeMail(userId, '<alone@x>'),
      first,
      first,
      makeMail(userId, '<reply@x>', ['<lost@x>', '<root@x>']),
      makeMail(userId, '<again@x>', ['<reply@x>']),
    ].map(mail => queue.store({ mails: [mail], limitsBytes: [ROOMY] })),
  );
  const threads = new Map((await mailsOf(userId)).map(row => [row.message_id, row.thread_id]));
  expect(threads.size).toBe(4);
  expect(threads.get('<reply@x>')).toBe(threads.get('<root@x>'));
  expect(threads.get('<again@x>')).toBe(threads.get('<root@x>'));
  expect(threads.get('<alone@x>')).not.toBe(threads.get('<root@x>'));
  await recount(database.db, userId);
});

test('a locked mailbox delays only its own mail', async () => {
  const queue = createCommitQueue(database.db);
  const [held, free] = [await addMailbox(), await addMailbox()];
  let letGo: () => void = () => undefined;
  const taken = Promise.withResolvers<void>();
  const holding = database.db.transaction().execute(async trx => {
    await trx.selectFrom('mailboxes').select('user_id').where('user_id', '=', held).forUpdate().execute();
    await new Promise<void>(resolve => {
      letGo = resolve;
      taken.resolve();
    });
  });
  await taken.promise;
  const delayed = queue.store({ mails: [makeMail(held, '<h1@x>')], limitsBytes: [ROOMY] });
  for (let n = 0; n < 5; n++)
    await queue.store({ mails: [makeMail(free, `<f${n}@x>`)], limitsBytes: [ROOMY] });
  expect(await mailsOf(free)).toHaveLength(5);
  expect(await mailsOf(held)).toHaveLength(0);
  letGo();
  await Promise.all([holding, delayed]);
  expect(await mailsOf(held)).toHaveLength(1);
});

test('deliveries during a batch are stored together after it, and alongside a slow one', async () => {
  const queue = createCommitQueue(database.db);
  const [slow, quick] = [await addMailbox(), await addMailbox()];
  /** A delivery that holds its mailbox's lock until it is released. */
  const storeSlowly = async (messageId: string) => {
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const run = () => {
      begun.resolve();
      return gate.promise;
    };
    const stored = queue.store({
      mails: [makeMail(slow, messageId)],
      limitsBytes: [ROOMY],
      along: { userId: slow, run },
    });
    await begun.promise;
    return { stored, letGo: gate.resolve };
  };
  const storeQuickly = (messageId: string) =>
    queue.store({ mails: [makeMail(quick, messageId)], limitsBytes: [ROOMY] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const first = await storeSlowly('<s1@x>');
  vi.advanceTimersByTime(100);
  const together = ['<q1@x>', '<q2@x>', '<q3@x>'].map(storeQuickly);
  first.letGo();
  await Promise.all([first.stored, ...together]);
  const { rows } = await sql<{ xmin: string }>`
    select distinct xmin::text as xmin from mails where user_id = ${quick}::uuid`.execute(database.db);
  expect(rows).toHaveLength(1);
  const second = await storeSlowly('<s2@x>');
  const beside = storeQuickly('<q4@x>');
  vi.advanceTimersByTime(500);
  await beside;
  expect(await mailsOf(slow)).toHaveLength(1);
  second.letGo();
  await second.stored;
  expect(await mailsOf(slow)).toHaveLength(2);
});
