import { randomUUIDv7 } from 'node:crypto';
import type { Email } from '@keyfold/contract';
import { queryInput } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../tests/harness/database.ts';
import { insertTestTag, insertTestUser, makeNewMail } from '../../../tests/harness/mailbox.ts';
import { FLAG_BITS, type Flag } from '../mailbox/flags.ts';
import { changeFlags, replaceTags, storeMails } from '../mailbox/service.ts';
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

type ModelMail = {
  readonly id: string;
  readonly receivedAt: number;
  readonly flags: ReadonlySet<Flag>;
  readonly tags: readonly string[];
  readonly address: string;
  readonly people: string;
  readonly messageId: string;
  readonly threadId: string;
};

const ADDRESSES = ['me@keyfold.test', 'alias@keyfold.test'];
const PEOPLE = [
  'Ann Example <ann@example.org>',
  '=?utf-8?B?0JjQstCw0L0g0J/QtdGC0YDQvtCy?= <ivan@example.ru>',
  '"100% Off_Sale" <shop@example.com>',
  '=?utf-8?Q?M=C3=BCller=2C_J=C3=BCrgen?= <jm@example.de>',
];
const SPOKEN = [
  'ann example ann@example.org',
  'иван петров ivan@example.ru',
  '100% off_sale shop@example.com',
  'müller, jürgen jm@example.de',
];
const model: ModelMail[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  cache = createQueryCache(100);
  const { db } = database;
  userId = await insertTestUser(db, 'me@keyfold.test');
  otherId = await insertTestUser(db, 'other@keyfold.test');
  const tagIds = new Map([
    ['work', await insertTestTag(db, userId, 'work')],
    ['home', await insertTestTag(db, userId, 'home')],
    ['empty', await insertTestTag(db, userId, 'empty')],
  ]);
  // A fixed stream of numbers: the same mailbox in every run.
  let seed = 12345;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  const start = Date.UTC(2026, 0, 1);
  for (let n = 0; n < 160; n++) {
    const chance = (name: Flag, percent: number) => [name, random(100) < percent] as const;
    const flags = Object.fromEntries([
      chance('read', 60),
      chance('starred', 15),
      chance('archived', 25),
      chance('deleted', 10),
      chance('draft', 5),
      chance('flagged', 8),
      chance('sent', 20),
      chance('public', 50),
    ]);
    const who = random(PEOPLE.length);
    const root = random(60);
    const address = ADDRESSES[random(4) === 0 ? 1 : 0] ?? '';
    const messageId = `<m${n}@example.org>`;
    // Some mails share a time: ids must decide the order then.
    const receivedAt = new Date(start + (n - (n % 3)) * 60_000);
    await db.transaction().execute(async trx => {
      const [stored] = await storeMails(trx, [
        makeNewMail(userId, {
          flags,
          from: PEOPLE[who] ?? '',
          ownAddress: address,
          messageId,
          references: [`<root${root}@example.org>`],
          receivedAt,
        }),
      ]);
      if (stored === undefined) throw new Error('not stored');
      const tags = [...tagIds.keys()].filter(name => name !== 'empty' && random(100) < 35);
      await replaceTags(
        trx,
        userId,
        [stored.id],
        tags.map(name => tagIds.get(name) ?? ''),
      );
      if (flags.deleted)
        await changeFlags(trx, userId, [stored.id], { flags: { deleted: true }, deletedAt: new Date() });
      model.push({
        id: stored.id,
        receivedAt: receivedAt.getTime(),
        flags: new Set(Object.keys(FLAG_BITS).filter(name => flags[name]) as Flag[]),
        tags,
        address,
        people: SPOKEN[who] ?? '',
        messageId,
        threadId: `root${root}`,
      });
    });
  }
  await db
    .transaction()
    .execute(trx =>
      storeMails(trx, [
        makeNewMail(otherId, { messageId: '<m1@example.org>', references: ['<root1@example.org>'] }),
      ]),
    );
});
afterAll(() => database.drop());

type Filter = {
  readonly flags: Partial<Record<Flag, boolean>>;
  readonly address?: string | undefined;
  readonly tag?: readonly string[] | undefined;
  readonly search?: string | undefined;
  readonly messageId?: string | undefined;
  readonly threading?: boolean | undefined;
};

const newestFirst = (a: ModelMail, b: ModelMail): number =>
  b.receivedAt - a.receivedAt || (a.id < b.id ? 1 : -1);

/** What a query must answer, worked out by looking at every mail. */
const expected = (filter: Filter): ModelMail[] => {
  const named = model.find(mail => mail.messageId.replace(/[<>]/g, '') === filter.messageId);
  const found = model
    .filter(mail =>
      Object.entries(filter.flags).every(([name, value]) => mail.flags.has(name as Flag) === value),
    )
    .filter(mail => filter.address === undefined || mail.address === filter.address)
    .filter(mail => (filter.tag ?? []).every(tag => mail.tags.includes(tag)))
    .filter(mail => filter.search === undefined || `${mail.people}\nme@keyfold.test`.includes(filter.search))
    .filter(mail => {
      if (filter.messageId === undefined) return true;
      return filter.threading ? mail.threadId === named?.threadId : mail === named;
    })
    .sort(newestFirst);
  if (!filter.threading || filter.messageId !== undefined) return found;
  const seen = new Set<string>();
  return found.filter(mail => !seen.has(mail.threadId) && seen.add(mail.threadId));
};

const toInput = ({ flags, search, messageId, ...rest }: Filter): Record<string, unknown> => ({
  ...flags,
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  ...(search === undefined ? {} : { search: base64(search) }),
  ...(messageId === undefined ? {} : { message_id: base64(messageId) }),
});

const anyFilter: fc.Arbitrary<Filter> = fc.record({
  flags: fc.dictionary(fc.constantFrom(...(Object.keys(FLAG_BITS) as Flag[])), fc.boolean(), { maxKeys: 4 }),
  address: fc.option(fc.constantFrom(...ADDRESSES, 'nobody@keyfold.test'), { nil: undefined, freq: 3 }),
  tag: fc.option(
    fc.constantFrom(['work'], ['home'], ['work', 'home'], ['empty'], ['unknown'], ['work', 'unknown']),
    { nil: undefined, freq: 2 },
  ),
  search: fc.option(
    fc.constantFrom('ann', 'иван', '100%', 'off_sale', 'müller', 'x_y', '%', 'keyfold', 'example'),
    {
      nil: undefined,
      freq: 3,
    },
  ),
  messageId: fc.option(fc.constantFrom('m1@example.org', 'm77@example.org', 'none@example.org'), {
    nil: undefined,
    freq: 5,
  }),
  threading: fc.option(fc.boolean(), { nil: undefined }),
});

const idsOf = (mails: readonly Email[]): string[] => mails.map(mail => mail.id);

test('every mix of filters answers what a look at every mail would, with the right count', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, async filter => {
      const wanted = expected(filter);
      const { data, count } = await query({ ...toInput(filter), count: 200 });
      expect(idsOf(data)).toEqual(wanted.map(mail => mail.id));
      expect(count).toBe(wanted.length);
    }),
    { numRuns: 300 },
  );
});

test('pages by cursor and pages by skip both put the whole list together', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 40 }), async (filter, count) => {
      const wanted = expected(filter).map(mail => mail.id);
      const input = { ...toInput(filter), count };
      const byCursor: string[] = [];
      for (;;) {
        const last = byCursor.at(-1);
        // A skip beside the cursor must not matter (readings 56).
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

test('a long skip lands where a short one from there would', async () => {
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

test('a mail that arrives between two pages by cursor neither repeats nor hides one', async () => {
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

test('times that differ by less than a millisecond keep their order over pages', async () => {
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

test('a conversation says how many mails it has, those in use unless the filter asks for others', async () => {
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

test('a count that had to be counted comes from the cache until the mailbox changes', async () => {
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

test('the summary view leaves bodies out and the full view has them', async () => {
  const [full] = (await query({ count: 1 })).data;
  const [summary] = (await query({ count: 1, view: 'summary' })).data;
  expect(full?.body).toMatch(/^[A-Za-z0-9+/]{64}$/);
  expect(summary).not.toHaveProperty('body');
  expect(summary?.summary).toBe(full?.summary);
  expect(summary).toMatchObject({ id: full?.id, alert: false, attachments: [] });
});

test('a page carries bodies up to 16 MiB, and every mail whatever its size', async () => {
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
  expect(Buffer.from(third?.body ?? '', 'base64').length).toBe(third?.size);
});

const refusalOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'none';
};

test("a cursor that is unknown, malformed or another user's is not there", async () => {
  const [foreign] = (await query({ count: 1 }, otherId)).data;
  for (const last_id of [foreign?.id, randomUUIDv7(), 'x', '--']) {
    expect(await refusalOf(query({ last_id }))).toBe('not_found');
  }
});

test('text that is no UTF-8 is malformed, and text that cannot be stored matches nothing', async () => {
  expect(await refusalOf(query({ search: Buffer.from([0xff, 0xfe]).toString('base64') }))).toBe('malformed');
  expect(await refusalOf(query({ message_id: Buffer.from([0xc3]).toString('base64') }))).toBe('malformed');
  const none = { data: [], count: 0, cache_hit: false };
  expect(await query({ search: base64('a\0b') })).toEqual(none);
  expect(await query({ message_id: base64('m1\0') })).toEqual(none);
  expect(await query({ tag: ['\0'] })).toEqual(none);
  expect(await query({ tag: ["'; drop table mails; --"] })).toEqual(none);
});

test('a page of a folder reads index ranges, not the mailbox', async () => {
  const { db } = database;
  await sql`analyze mails, mail_counts`.execute(db);
  const plans: string[] = [];
  const filter = readFilter(queryInput.parse({ deleted: false, sent: false }));
  const { buckets } = await getOverview(db, userId, []);
  const ranges = planRanges(buckets, filter.flags, []);
  if (ranges === null) throw new Error('no ranges');
  await db.transaction().execute(async trx => {
    // The test's mailbox is so small that reading all of it is cheaper; a large one's plan is what is asked for.
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
