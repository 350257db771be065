import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../tests/harness/app.ts';
import { createTestClock, type TestClock } from '../../../tests/harness/clock.ts';
import { codeOf } from '../../../tests/harness/codes.ts';
import { registerTestUser, type TestUser } from '../../../tests/harness/users.ts';
import { createMemoryBlobs, type MemoryBlobs } from '../../adapters/blob-memory.ts';
import { SEARCH_SEGMENTS_MAX } from '../../limits.ts';
import { collectOrphanContainers } from '../mailbox/jobs.ts';

let app: TestApp;
let blobs: MemoryBlobs;
let clock: TestClock;
let alice: TestUser;
let bob: TestUser;
beforeAll(async () => {
  blobs = createMemoryBlobs();
  clock = createTestClock();
  app = await startTestApp({ blobs, clock });
  alice = await registerTestUser(app);
  bob = await registerTestUser(app);
});
afterAll(() => app.close());

const head = (text: string): string => Buffer.from(text).toString('base64');

const add = async (user: TestUser, bytes: Uint8Array, replaces: readonly string[] = []): Promise<string> => {
  const file = new Blob([Buffer.from(bytes)]);
  const input = { head: head('h'), ...(replaces.length === 0 ? {} : { replaces: replaces.join(',') }) };
  return (await user.client.search.add_segment(input, { file })).data.id;
};

const idsOf = async (user: TestUser): Promise<string[]> =>
  (await user.client.search.segments({})).data.map(segment => segment.id);

const bytesOf = async (user: TestUser, id: string, range?: string): Promise<Buffer> => {
  const answer = await user.client.fetch(
    `/user/search/segments/${id}`,
    range === undefined ? {} : { headers: { range } },
  );
  return Buffer.from(await answer.arrayBuffer());
};

test('segments come back byte for byte, also in parts, with their heads and in their order', async () => {
  const [one, two] = [randomBytes(5_000), randomBytes(100)];
  const first = await add(alice, one);
  clock.advance(1_000);
  const second = await add(alice, two);
  expect((await alice.client.search.segments({})).data).toMatchObject([
    { id: first, size: 5_000, head: head('h') },
    { id: second, size: 100 },
  ]);
  expect(await bytesOf(alice, first)).toEqual(one);
  expect(await bytesOf(alice, first, 'bytes=10-19')).toEqual(one.subarray(10, 20));
});

test("another user's segments are neither listed nor read nor replaced nor forgotten", async () => {
  const hers = await idsOf(alice);
  expect(await idsOf(bob)).toEqual([]);
  expect(await codeOf(bob.client.search.segment({ id: hers[0] ?? '' }))).toBe('404 not_found');
  expect(await codeOf(bob.client.search.segment({ id: 'x' }))).toBe('404 not_found');
  await add(bob, randomBytes(10), hers);
  await bob.client.search.remove_segments({});
  expect(await idsOf(alice)).toEqual(hers);
  expect(await idsOf(bob)).toEqual([]);
});

test('a merge takes the place of what it was made of, whose bytes go; what is gone already does not matter', async () => {
  const before = await idsOf(alice);
  const merged = await add(alice, randomBytes(200), [...before, randomUUIDv7()]);
  expect(await idsOf(alice)).toEqual([merged]);
  for (const id of before) await expect(blobs.get(id)).rejects.toThrow();
  expect(await codeOf(alice.client.search.segment({ id: before[0] ?? '' }))).toBe('404 not_found');
});

test('two merges of the same segments at once leave both results and nothing else', async () => {
  const parts = [await add(alice, randomBytes(50)), await add(alice, randomBytes(50))];
  const kept = (await idsOf(alice)).filter(id => !parts.includes(id));
  const both = await Promise.all([add(alice, randomBytes(90), parts), add(alice, randomBytes(91), parts)]);
  expect(new Set(await idsOf(alice))).toEqual(new Set([...kept, ...both]));
});

test('what is no segment is refused', async () => {
  const file = new Blob([Buffer.from('x')]);
  expect(await codeOf(alice.client.search.add_segment({ head: '' }, { file }))).toBe('400 malformed');
  expect(await codeOf(alice.client.search.add_segment({ head: 'no base64' }, { file }))).toBe(
    '400 malformed',
  );
  expect(await codeOf(alice.client.search.add_segment({ head: head('h'), replaces: 'a,b' }, { file }))).toBe(
    '400 malformed',
  );
  expect(await codeOf(alice.client.search.add_segment({ head: head('h') }, { file: new Blob([]) }))).toBe(
    '400 malformed',
  );
});

test('there is room for so many segments and bytes, and no more', async () => {
  const { id } = await app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', bob.email)
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('search_segments')
    .values({
      user_id: id,
      blob_id: randomUUIDv7(),
      size_bytes: 5 * 1024 ** 3,
      head: '',
      created_at: new Date(),
    })
    .execute();
  expect(await codeOf(add(bob, randomBytes(10)))).toBe('507 quota_exceeded');
  await bob.client.search.remove_segments({});
  await app.db
    .insertInto('search_segments')
    .values(
      Array.from({ length: SEARCH_SEGMENTS_MAX }, () => ({
        user_id: id,
        blob_id: randomUUIDv7(),
        size_bytes: 1,
        head: '',
        created_at: new Date(),
      })),
    )
    .execute();
  expect(await codeOf(add(bob, randomBytes(10)))).toBe('422 limit_reached');
  await app.db.deleteFrom('users').where('id', '=', id).execute();
  const left = await app.db
    .selectFrom('search_segments')
    .select('blob_id')
    .where('user_id', '=', id)
    .execute();
  expect(left).toEqual([]);
});

test('segments are no orphans, forgotten ones leave nothing behind', async () => {
  const id = await add(alice, randomBytes(30));
  await app.db
    .updateTable('blobs')
    .set({ created_at: new Date(clock.now().getTime() - 48 * 60 * 60 * 1000) })
    .execute();
  await collectOrphanContainers(app.deps);
  expect(await bytesOf(alice, id)).toHaveLength(30);
  await alice.client.search.remove_segments({});
  expect(await idsOf(alice)).toEqual([]);
  await expect(blobs.get(id)).rejects.toThrow();
});
