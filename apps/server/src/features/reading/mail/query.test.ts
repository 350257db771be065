import { randomUUIDv7 } from 'node:crypto';
import type { Email } from '@keyfold/contract';
import { queryInput } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { insertTestUser, makeNewMail } from '../../../../tests/harness/mailbox.ts';
import {
  ADDRESSES,
  anyFilter,
  anyPage,
  expected,
  fillModel,
  type ModelMail,
  model,
  newestFirst,
  toInput,
} from '../../../../tests/harness/query-model.ts';
import { FLAG_BITS } from '../../../base/flags.ts';
import { changeFlags, storeMails } from '../../mailbox/messages/index.ts';
import { planRanges } from './buckets.ts';
import { readFilter } from './filter.ts';
import { queryMail } from './query.ts';
import { createQueryCache, type QueryCache } from './query-cache.ts';
import { findPlace, getOverview, nextMails } from './query-store.ts';

let database: TestDatabase;
let cache: QueryCache;
let userId: string;
let otherId: string;

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const query = (input: Record<string, unknown>, who = userId) =>
  queryMail(database.db, cache, who, queryInput.parse(input));

beforeAll(async () => {
  database = await createTestDatabase();
  cache = createQueryCache(100);
  const { db } = database;
  userId = await insertTestUser(db, 'me@keyfold.test');
  otherId = await insertTestUser(db, 'other@keyfold.test');
  await fillModel(db, userId);
  await db
    .transaction()
    .execute(trx =>
      storeMails(trx, [
        makeNewMail(otherId, { messageId: '<m1@example.org>', references: ['<root1@example.org>'] }),
      ]),
    );
});
afterAll(() => database.drop());

const idsOf = (mails: readonly Email[]): string[] => mails.map(mail => mail.id);

test('any combination of parameters matches a full scan and returns the right count', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, anyPage, async (filter, { count, skip, after, view }) => {
      const wanted = expected(filter);
      const cursor = after === undefined ? undefined : model[after];
      const page =
        cursor === undefined
          ? wanted.slice(skip, skip + count)
          : wanted.filter(mail => mail !== cursor && newestFirst(cursor, mail) < 0).slice(0, count);
      const place = cursor === undefined ? { skip } : { skip, last_id: cursor.id };
      const answer = await query({ ...toInput(filter), ...place, count, view });
      expect(idsOf(answer.data)).toEqual(page.map(mail => mail.id));
      expect(answer.count).toBe(wanted.length);
    }),
    { numRuns: 300 },
  );
});

test('every single parameter matches a full scan', async () => {
  const flags = Object.keys(FLAG_BITS).flatMap(name =>
    [true, false].map(value => ({ flags: { [name]: value } })),
  );
  const others = [
    { address: ADDRESSES[1] },
    { tag: ['work'] },
    { search: 'ann' },
    { messageId: 'm77@example.org' },
  ];
  for (const filter of [
    ...flags,
    ...others.map(one => ({ flags: {}, ...one })),
    { flags: {}, threading: true },
  ]) {
    const wanted = expected(filter).map(mail => mail.id);
    expect(wanted.length, JSON.stringify(filter)).toBeGreaterThan(0);
    expect(idsOf((await query({ ...toInput(filter), count: 200 })).data)).toEqual(wanted);
  }
});

test('paging by cursor and paging by skip both return the whole list', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 40 }), async (filter, count) => {
      const wanted = expected(filter).map(mail => mail.id);
      const input = { ...toInput(filter), count };
      const byCursor: string[] = [];
      for (;;) {
        const last = byCursor.at(-1);
        // A skip sent along with the cursor must not matter (docs/interpretations.md#56).
        const { data } = await query({ ...input, ...(last === undefined ? {} : { last_id: last, skip: 3 }) });
        byCursor.push(...idsOf(data));
        if (data.length < count) break;
      }
      expect(byCursor).toEqual(wanted);
      const bySkip: string[] = [];
      for (let skip = 0; skip <= wanted.length; skip += count) {
        bySkip.push(...idsOf((await query({ ...input, skip })).data));
      }
      expect(bySkip).toEqual(wanted);
    }),
    { numRuns: 60 },
  );
});

test('a long skip returns the same page as shorter ones before it', async () => {
  const all = expected({ flags: {} }).map(mail => mail.id);
  const fresh = createQueryCache(10);
  for (const skip of [150, 120, 155, 159, 160, 400]) {
    const input = queryInput.parse({ skip, count: 5, threading: false });
    const { data } = await queryMail(database.db, fresh, userId, input);
    expect(idsOf(data)).toEqual(all.slice(skip, skip + 5));
  }
  const threads = expected({ flags: {}, threading: true }).map(mail => mail.id);
  for (const skip of [40, 7, 41, 3, threads.length, 500]) {
    const input = queryInput.parse({ skip, count: 4, threading: true });
    const { data } = await queryMail(database.db, fresh, userId, input);
    expect(idsOf(data)).toEqual(threads.slice(skip, skip + 4));
  }
});

test('a message that arrives between two cursor pages neither repeats nor hides another', async () => {
  const { db } = database;
  const reader = await insertTestUser(db, 'reader@keyfold.test');
  const store = (receivedAt: Date) =>
    db.transaction().execute(trx => storeMails(trx, [makeNewMail(reader, { receivedAt })]));
  for (let n = 0; n < 30; n++) await store(new Date(Date.UTC(2026, 1, 1, 0, n)));
  const before = idsOf((await query({ count: 200 }, reader)).data);
  const seen: string[] = [];
  for (let page = 0; page < 5; page++) {
    const last = seen.at(-1);
    seen.push(...idsOf((await query({ count: 7, ...(last ? { last_id: last } : {}) }, reader)).data));
    await store(new Date());
    await db
      .transaction()
      .execute(trx =>
        changeFlags(trx, reader, before.slice(page * 5, page * 5 + 9), { flags: { read: true } }),
      );
  }
  expect(seen).toEqual(before);
});

test('messages less than a millisecond apart keep their order across pages', async () => {
  const { db } = database;
  const reader = await insertTestUser(db, 'micro@keyfold.test');
  await db.transaction().execute(trx =>
    storeMails(
      trx,
      Array.from({ length: 12 }, () => makeNewMail(reader, { receivedAt: new Date(Date.UTC(2026, 3, 1)) })),
    ),
  );
  await sql`update mails set received_at = received_at + (('x' || right(id::text, 4))::bit(16)::int % 900) * interval '1 microsecond'
    where user_id = ${reader}`.execute(db);
  const whole = idsOf((await query({ count: 200 }, reader)).data);
  const paged: string[] = [];
  for (let n = 0; n < 12; n++) {
    const last = paged.at(-1);
    paged.push(...idsOf((await query({ count: 1, ...(last ? { last_id: last } : {}) }, reader)).data));
  }
  expect(paged).toEqual(whole);
});

test('a conversation reports its message count, without deleted mail and drafts unless the filter includes them', async () => {
  const sizes = (mails: readonly ModelMail[]) => {
    const byThread = Map.groupBy(mails, mail => mail.threadId);
    return (mail: ModelMail) => byThread.get(mail.threadId)?.length ?? 0;
  };
  const inUse = sizes(model.filter(mail => !mail.flags.has('deleted') && !mail.flags.has('draft')));
  const inbox = { flags: { deleted: false, draft: false, sent: false }, threading: true };
  const { data } = await query({ ...toInput(inbox), count: 200 });
  expect(data.map(mail => mail.thread_count)).toEqual(expected(inbox).map(inUse));
  const removed = sizes(model.filter(mail => mail.flags.has('deleted') && !mail.flags.has('draft')));
  const trash = { flags: { deleted: true, draft: false }, threading: true };
  const answer = await query({ ...toInput(trash), count: 200 });
  expect(answer.data.map(mail => mail.thread_count)).toEqual(expected(trash).map(removed));
});

test('a conversation reports whether any of the counted messages has files', async () => {
  const files = Map.groupBy(
    model.filter(mail => !mail.flags.has('deleted') && !mail.flags.has('draft')),
    mail => mail.threadId,
  );
  const inbox = { flags: { deleted: false, draft: false, sent: false }, threading: true };
  const { data } = await query({ ...toInput(inbox), count: 200 });
  const wanted = expected(inbox).map(
    ({ threadId }) => files.get(threadId)?.some(mail => mail.flags.has('attachment')) ?? false,
  );
  expect(new Set(wanted).size).toBe(2);
  expect(data.map(mail => mail.thread_files)).toEqual(wanted);
});

test('a computed count is cached until the mailbox changes', async () => {
  const { db } = database;
  const reader = await insertTestUser(db, 'cached@keyfold.test');
  const store = () => db.transaction().execute(trx => storeMails(trx, [makeNewMail(reader)]));
  await store();
  const search = { search: base64('ANN'), count: 1 };
  expect(await query(search, reader)).toMatchObject({ count: 1, cache_hit: false });
  expect(await query(search, reader)).toMatchObject({ count: 1, cache_hit: true });
  expect(await query({ ...search, search: base64('bob') }, reader)).toMatchObject({
    count: 0,
    cache_hit: false,
  });
  await store();
  expect(await query(search, reader)).toMatchObject({ count: 2, cache_hit: false });
});

test('the summary view omits bodies and the full view includes them', async () => {
  const [full] = (await query({ count: 1 })).data;
  const [summary] = (await query({ count: 1, view: 'summary' })).data;
  expect(full?.body).toMatch(/^[A-Za-z0-9+/]{64}$/);
  expect(summary).not.toHaveProperty('body');
  expect(summary?.summary).toBe(full?.summary);
  expect(summary).toMatchObject({ id: full?.id, alert: false, attachments: [] });
});

test('a page carries up to 16 MiB of bodies, and every message whatever its size', async () => {
  const { db } = database;
  const reader = await insertTestUser(db, 'large@keyfold.test');
  for (let n = 0; n < 5; n++) {
    const body = Buffer.alloc(6 * 1024 * 1024 + 16 * n);
    await db.transaction().execute(trx => storeMails(trx, [makeNewMail(reader, { body })]));
  }
  const { data, count } = await query({}, reader);
  expect(count).toBe(5);
  expect(data.map(mail => mail.body === undefined)).toEqual([false, false, false, true, true]);
  const [, , third] = data;
  expect(Buffer.from(third?.body ?? '', 'base64').length).toBe(6 * 1024 * 1024 + 16 * 2);
});

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
}

test('a cursor that is unknown, malformed or another user’s returns not_found', async () => {
  const [foreign] = (await query({ count: 1 }, otherId)).data;
  for (const last_id of [foreign?.id, randomUUIDv7(), 'x', '--']) {
    expect(await refusalOf(query({ last_id }))).toBe('not_found');
  }
});

test('search text that is not UTF-8 is malformed, and text that cannot be stored matches nothing', async () => {
  expect(await refusalOf(query({ search: Buffer.from([0xff, 0xfe]).toString('base64') }))).toBe('malformed');
  expect(await refusalOf(query({ message_id: Buffer.from([0xc3]).toString('base64') }))).toBe('malformed');
  const none = { data: [], count: 0, cache_hit: false };
  expect(await query({ search: base64('a\0b') })).toEqual(none);
  expect(await query({ message_id: base64('m1\0') })).toEqual(none);
  expect(await query({ tag: ['\0'] })).toEqual(none);
  expect(await query({ tag: ["'; drop table mails; --"] })).toEqual(none);
});

test('a page of a folder reads index ranges instead of the whole mailbox', async () => {
  const { db } = database;
  await sql`analyze mails, mail_counts`.execute(db);
  const plans: string[] = [];
  const filter = readFilter(queryInput.parse({ deleted: false, sent: false }));
  const { buckets } = await getOverview(db, userId, []);
  const ranges = planRanges(buckets, filter.flags, []);
  if (ranges === null) throw new Error('no ranges');
  await db.transaction().execute(async trx => {
    // The test's mailbox is so small that a sequential scan is cheaper; the test is about the plan
    // for a large one.
    await sql`set local enable_seqscan = off`.execute(trx);
    await sql`set local enable_bitmapscan = off`.execute(trx);
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain ${nextMails({ userId, filter, ranges }, null, 50)}`.execute(trx);
    plans.push(rows.map(row => row['QUERY PLAN']).join('\n'));
    const place = await findPlace(trx, { userId, filter, ranges }, null, 10);
    expect(place?.id).toBe(expected({ flags: { deleted: false, sent: false } })[9]?.id);
  });
  expect(plans[0]).toContain('mails_by_bucket');
  expect(plans[0]).not.toContain('Seq Scan on mails');
});
