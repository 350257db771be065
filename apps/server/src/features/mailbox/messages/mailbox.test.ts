import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '@keyfold/contract/errors';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import {
  insertTestTag,
  insertTestUser,
  makeNewMail,
  readCounters,
} from '../../../../tests/harness/mailbox.ts';
import { type Flag, type FlagFilter, toMask } from '../../../base/flags.ts';
import { insertContainer } from './container-store.ts';
import { addContainer, removeContainer, replaceDraft } from './drafting.ts';
import { changeFlags } from './flag-changes.ts';
import { removeMails } from './removal.ts';
import { storeMails } from './service.ts';
import { replaceTags } from './tagging.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const MARKS: readonly Flag[] = ['read', 'starred', 'archived', 'flagged', 'deleted'];

async function makeContainer(sizeBytes: number) {
  const blobId = randomUUIDv7();
  await insertContainer(database.db, blobId, new Date());
  return { blobId, sizeBytes };
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
}

const step = fc.record({
  kind: fc.constantFrom(
    'store',
    'store',
    'mark',
    'mark',
    'delete',
    'restore',
    'remove',
    'tag',
    'redraft',
    'attach',
    'detach',
  ),
  who: fc.nat(1),
  which: fc.array(fc.nat(1000), { minLength: 1, maxLength: 4 }),
  flag: fc.constantFrom(...MARKS.slice(0, 4)),
  value: fc.boolean(),
  flags: fc.record({ read: fc.boolean(), sent: fc.boolean(), draft: fc.boolean(), public: fc.boolean() }),
  sizeBytes: fc.integer({ min: 32, max: 5000 }),
  isForeign: fc.integer({ min: 0, max: 9 }),
});

test('counters, used bytes and tag rows equal a recount after any sequence of operations', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async steps => {
      const users = [
        await insertTestUser(db, `${randomUUIDv7()}@keyfold.test`),
        await insertTestUser(db, `${randomUUIDv7()}@keyfold.test`),
      ] as const;
      const tags = await Promise.all(
        users.map(async user => [await insertTestTag(db, user, 'a'), await insertTestTag(db, user, 'b')]),
      );
      for (const one of steps) {
        const userId = users[one.who as 0 | 1];
        const mails = await db
          .selectFrom('mails')
          .select('id')
          .where('user_id', '=', userId)
          .orderBy('id')
          .execute();
        const ids = mails.length === 0 ? [] : one.which.map(n => mails[n % mails.length]?.id ?? '');
        // Sometimes includes an id that is not the user's; the whole operation must then leave no
        // trace.
        if (one.isForeign === 0) ids.push(randomUUIDv7());
        const [firstId = randomUUIDv7()] = ids;
        const work = db.transaction().execute(async trx => {
          switch (one.kind) {
            case 'store':
              return storeMails(trx, [
                makeNewMail(userId, { flags: one.flags, body: Buffer.alloc(one.sizeBytes) }),
                makeNewMail(users[one.who === 0 ? 1 : 0], { flags: { sent: true } }),
              ]);
            case 'mark':
              return changeFlags(trx, userId, ids, { flags: { [one.flag]: one.value } });
            case 'delete':
              return changeFlags(trx, userId, ids, { flags: { deleted: true }, deletedAt: new Date() });
            case 'restore':
              return changeFlags(trx, userId, ids, { flags: { deleted: false }, deletedAt: null });
            case 'remove':
              return removeMails(trx, userId, ids);
            case 'tag':
              return replaceTags(
                trx,
                userId,
                ids,
                one.value ? (tags[one.who] ?? []) : (tags[one.who] ?? []).slice(1),
              );
            case 'redraft':
              return replaceDraft(
                trx,
                firstId,
                makeNewMail(userId, { flags: { draft: true }, body: Buffer.alloc(one.sizeBytes) }),
              );
            case 'attach':
              return addContainer(trx, userId, firstId, await makeContainer(one.sizeBytes));
            default: {
              const row = await trx
                .selectFrom('mail_attachments')
                .select(['mail_id', 'blob_id'])
                .where('user_id', '=', userId)
                .executeTakeFirst();
              return removeContainer(trx, userId, row?.mail_id ?? firstId, row?.blob_id ?? randomUUIDv7());
            }
          }
        });
        expect(['none', 'not_found', 'draft_refused']).toContain(await refusalOf(work));
      }
      const { kept, recounted } = await readCounters(db);
      expect(kept).toEqual(recounted);
    }),
    { numRuns: 60 },
  );
});

test('counters match a recount after concurrent changes to one mailbox', async () => {
  const { db } = database;
  const userId = await insertTestUser(db, `${randomUUIDv7()}@keyfold.test`);
  const stored = await db.transaction().execute(trx =>
    storeMails(
      trx,
      Array.from({ length: 20 }, () => makeNewMail(userId)),
    ),
  );
  const ids = stored.map(mail => mail.id);
  const changes: FlagFilter[] = [{ read: true }, { starred: true }, { read: false }, { archived: true }];
  await Promise.all([
    // A change that follows the removal of one of its messages is correctly refused.
    ...Array.from({ length: 40 }, (_, n) =>
      refusalOf(
        db
          .transaction()
          .execute(trx =>
            changeFlags(trx, userId, ids.slice(n % 10, (n % 10) + 8), { flags: changes[n % 4] ?? {} }),
          ),
      ),
    ),
    ...Array.from({ length: 10 }, () =>
      db.transaction().execute(trx => storeMails(trx, [makeNewMail(userId, { flags: { public: true } })])),
    ),
    refusalOf(db.transaction().execute(trx => removeMails(trx, userId, ids.slice(0, 3)))),
    refusalOf(db.transaction().execute(trx => removeMails(trx, userId, ids.slice(2, 5)))),
  ]);
  const { kept, recounted } = await readCounters(db);
  expect(kept).toEqual(recounted);
});

test('arrival times of a mailbox are distinct, even within one transaction', async () => {
  const { db } = database;
  const userId = await insertTestUser(db, `${randomUUIDv7()}@keyfold.test`);
  await Promise.all(
    Array.from({ length: 10 }, () =>
      db.transaction().execute(trx => storeMails(trx, [makeNewMail(userId), makeNewMail(userId)])),
    ),
  );
  const rows = await db.selectFrom('mails').select('arrived_at').where('user_id', '=', userId).execute();
  expect(new Set(rows.map(row => row.arrived_at.getTime())).size).toBe(20);
});

test('a message can reference only an existing blob', async () => {
  const { db } = database;
  const userId = await insertTestUser(db, `${randomUUIDv7()}@keyfold.test`);
  const mail = makeNewMail(userId, { attachments: [{ blobId: randomUUIDv7(), sizeBytes: 9 }] });
  await expect(db.transaction().execute(trx => storeMails(trx, [mail]))).rejects.toThrow();
  expect(await db.selectFrom('mails').select('id').where('user_id', '=', userId).execute()).toEqual([]);
});

test('a reply joins the conversation of its parent in any order of arrival', async () => {
  const { db } = database;
  const userId = await insertTestUser(db, `${randomUUIDv7()}@keyfold.test`);
  const store = (messageId: string, references: string[]) =>
    db.transaction().execute(trx => storeMails(trx, [makeNewMail(userId, { messageId, references })]));
  await store('<reply@x>', ['<root@x>']);
  await store('<root@x>', []);
  await store('<reply2@x>', ['<root@x>', '<reply@x>']);
  await store('<other@x>', []);
  const rows = await db
    .selectFrom('mails')
    .select(['message_id', 'thread_id'])
    .where('user_id', '=', userId)
    .execute();
  const threads = Map.groupBy(rows, row => row.thread_id);
  expect([...threads.values()].map(found => found.length).sort()).toEqual([1, 3]);
});

test('messages stored together join existing conversations and each other, per mailbox', async () => {
  const { db } = database;
  const [one, other] = await Promise.all(
    [1, 2].map(() => insertTestUser(db, `${randomUUIDv7()}@keyfold.test`)),
  );
  if (one === undefined || other === undefined) throw new Error('no users');
  const store = (...mails: Parameters<typeof makeNewMail>[1][]) =>
    db.transaction().execute(trx =>
      storeMails(
        trx,
        mails.map(mail => makeNewMail(mail?.userId ?? one, mail)),
      ),
    );
  const quoted = `<"a\\b{c},d'e"@x>`;
  await store({ messageId: '<old@x>', receivedAt: new Date(1_000) });
  await store({ messageId: '<joined@x>', references: ['<old@x>'], receivedAt: new Date(500) });
  await store({ messageId: '<new@x>', receivedAt: new Date(2_000) }, { messageId: quoted });
  await store(
    { messageId: '<both@x>', references: ['<new@x>', '<old@x>'] },
    { messageId: '<there@x>', references: ['<joined@x>'], userId: other },
    { messageId: '<nothing@x>' },
    { messageId: '<after@x>', references: ['<unknown@x>', '<both@x>'] },
    { messageId: '<odd@x>', references: [quoted] },
    { messageId: '<first@x>', references: ['<gone@x>', '<old@x>', '<nothing@x>'] },
  );
  const rows = await db
    .selectFrom('mails')
    .select(['user_id', 'message_id', 'thread_id'])
    .where('user_id', 'in', [one, other])
    .execute();
  const groups = Map.groupBy(rows, row => row.thread_id);
  const named = [...groups.values()].map(found => found.map(row => row.message_id).sort());
  expect(named.toSorted((a, b) => String(a[0]).localeCompare(String(b[0])))).toEqual(
    [
      ['<after@x>', '<both@x>', '<new@x>'],
      ['<first@x>', '<nothing@x>'],
      ['<odd@x>', quoted].sort(),
      ['<joined@x>', '<old@x>'],
      ['<there@x>'],
    ].toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
  );
});

test('a mask holds exactly the flags it was made of', () => {
  expect(toMask({ read: true, public: true })).toBe(257);
  expect(toMask({})).toBe(0);
});
