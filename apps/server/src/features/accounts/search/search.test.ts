import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { useTwoUsers } from '../../../../tests/harness/two-users.ts';
import type { TestUser } from '../../../../tests/harness/users.ts';
import { SEARCH_SEGMENTS_MAX } from '../../../base/limits.ts';
import { collectOrphanContainers } from '../../mailbox/messages/jobs.ts';

const world = useTwoUsers();

const head = (text: string): string => Buffer.from(text).toString('base64');

async function add(user: TestUser, bytes: Uint8Array, replaces: readonly string[] = []): Promise<string> {
  const file = new Blob([Buffer.from(bytes)]);
  const input = { head: head('h'), ...(replaces.length === 0 ? {} : { replaces: replaces.join(',') }) };
  return (await user.client.search.add_segment(input, { file })).data.id;
}

const idsOf = async (user: TestUser): Promise<string[]> =>
  (await user.client.search.segments({})).data.map(segment => segment.id);

async function bytesOf(user: TestUser, id: string, range?: string): Promise<Buffer> {
  const answer = await user.client.fetch(
    `/user/search/segments/${id}`,
    range === undefined ? {} : { headers: { range } },
  );
  return Buffer.from(await answer.arrayBuffer());
}

test('segments are returned byte for byte, also by range, with their heads and in order', async () => {
  const [one, two] = [randomBytes(5_000), randomBytes(100)];
  const first = await add(world.alice, one);
  world.clock.advance(1_000);
  const second = await add(world.alice, two);
  expect((await world.alice.client.search.segments({})).data).toMatchObject([
    { id: first, size: 5_000, head: head('h') },
    { id: second, size: 100 },
  ]);
  expect(await bytesOf(world.alice, first)).toEqual(one);
  expect(await bytesOf(world.alice, first, 'bytes=10-19')).toEqual(one.subarray(10, 20));
});

test("another user's segments can be neither listed, read, replaced nor deleted", async () => {
  const hers = await idsOf(world.alice);
  expect(await idsOf(world.bob)).toEqual([]);
  expect(await codeOf(world.bob.client.search.segment({ id: hers[0] ?? '' }))).toBe('404 not_found');
  expect(await codeOf(world.bob.client.search.segment({ id: 'x' }))).toBe('404 not_found');
  await add(world.bob, randomBytes(10), hers);
  await world.bob.client.search.remove_segments({});
  expect(await idsOf(world.alice)).toEqual(hers);
  expect(await idsOf(world.bob)).toEqual([]);
});

test('a merge replaces its source segments, deletes their bytes and tolerates missing ones', async () => {
  const before = await idsOf(world.alice);
  const merged = await add(world.alice, randomBytes(200), [...before, randomUUIDv7()]);
  expect(await idsOf(world.alice)).toEqual([merged]);
  for (const id of before) await expect(world.blobs.get(id)).rejects.toThrow();
  expect(await codeOf(world.alice.client.search.segment({ id: before[0] ?? '' }))).toBe('404 not_found');
});

test('two concurrent merges of the same segments leave both results and nothing else', async () => {
  const parts = [await add(world.alice, randomBytes(50)), await add(world.alice, randomBytes(50))];
  const kept = (await idsOf(world.alice)).filter(id => !parts.includes(id));
  const both = await Promise.all([
    add(world.alice, randomBytes(90), parts),
    add(world.alice, randomBytes(91), parts),
  ]);
  expect(new Set(await idsOf(world.alice))).toEqual(new Set([...kept, ...both]));
});

test('invalid segments are refused', async () => {
  const file = new Blob([Buffer.from('x')]);
  expect(await codeOf(world.alice.client.search.add_segment({ head: '' }, { file }))).toBe('400 malformed');
  expect(await codeOf(world.alice.client.search.add_segment({ head: 'no base64' }, { file }))).toBe(
    '400 malformed',
  );
  expect(
    await codeOf(world.alice.client.search.add_segment({ head: head('h'), replaces: 'a,b' }, { file })),
  ).toBe('400 malformed');
  expect(
    await codeOf(world.alice.client.search.add_segment({ head: head('h') }, { file: new Blob([]) })),
  ).toBe('400 malformed');
});

test('segments are limited in number and bytes', async () => {
  const { id } = await world.app.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', world.bob.email)
    .executeTakeFirstOrThrow();
  await world.app.db
    .insertInto('search_segments')
    .values({
      user_id: id,
      blob_id: randomUUIDv7(),
      size_bytes: 5 * 1024 ** 3,
      head: '',
      created_at: new Date(),
    })
    .execute();
  expect(await codeOf(add(world.bob, randomBytes(10)))).toBe('507 quota_exceeded');
  await world.bob.client.search.remove_segments({});
  await world.app.db
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
  expect(await codeOf(add(world.bob, randomBytes(10)))).toBe('422 limit_reached');
  await world.app.db.deleteFrom('users').where('id', '=', id).execute();
  const left = await world.app.db
    .selectFrom('search_segments')
    .select('blob_id')
    .where('user_id', '=', id)
    .execute();
  expect(left).toEqual([]);
});

test('segments are not collected as orphans, and deleted ones leave nothing behind', async () => {
  const id = await add(world.alice, randomBytes(30));
  await world.app.db
    .updateTable('blobs')
    .set({ created_at: new Date(world.clock.now().getTime() - 48 * 60 * 60 * 1000) })
    .execute();
  await collectOrphanContainers(world.app.deps);
  expect(await bytesOf(world.alice, id)).toHaveLength(30);
  await world.alice.client.search.remove_segments({});
  expect(await idsOf(world.alice)).toEqual([]);
  await expect(world.blobs.get(id)).rejects.toThrow();
});
