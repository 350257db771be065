import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../../tests/harness/app.ts';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { RECORDS_MAX, RECORDS_MAX_BYTES } from '../../../base/limits.ts';

let app: TestApp;
let ann: TestUser;
let bob: TestUser;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  [ann, bob] = await Promise.all([registerTestUser(app), registerTestUser(app)]);
});
afterAll(() => app.close());

const bytes = (size = 40): string => randomBytes(size).toString('base64');
const save = (user: TestUser, id: string, version: number, sealed = bytes()) =>
  user.client.records.save({ kind: 'template', id, version, sealed, key_used: user.identity.key_id });
const list = async (user: TestUser, more: { after?: string; count?: number } = {}) =>
  (await user.client.records.list({ kind: 'template', ...more })).data;

test('a record is created, read, replaced and removed, and each change increments its version', async () => {
  const first = bytes();
  expect((await save(ann, 'a', 0, first)).data.version).toBe(1);
  expect(await list(ann)).toMatchObject([{ id: 'a', version: 1, sealed: first }]);
  const second = bytes(90_000);
  expect((await save(ann, 'a', 1, second)).data.version).toBe(2);
  expect(await list(ann)).toMatchObject([{ id: 'a', version: 2, sealed: second }]);
  expect((await ann.client.records.list({ kind: 'setting' })).data).toEqual([]);
  await ann.client.records.remove({ kind: 'template', id: 'a' });
  await ann.client.records.remove({ kind: 'template', id: 'a' });
  expect(await list(ann)).toEqual([]);
});

test('a device cannot overwrite a version that it has not read', async () => {
  await save(ann, 'a', 0);
  expect(await codeOf(save(ann, 'a', 0))).toBe('409 version_conflict');
  expect(await codeOf(save(ann, 'a', 2))).toBe('409 version_conflict');
  const again = bytes();
  for (const _ of ['first', 'answer lost']) expect((await save(ann, 'c', 0, again)).data.version).toBe(1);
  expect((await save(ann, 'c', 1)).data.version).toBe(2);
  expect(await codeOf(save(ann, 'c', 0, again))).toBe('409 version_conflict');
  expect(await codeOf(save(ann, 'b', 1))).toBe('409 version_conflict');
  const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(save(ann, 'a', 1))));
  expect(codes.filter(code => code === 'none')).toHaveLength(1);
  expect(codes.filter(code => code === '409 version_conflict')).toHaveLength(7);
});

test('records name the keys they are encrypted with, which must be current', async () => {
  await save(ann, 'a', 0);
  expect(await list(ann)).toMatchObject([{ key_used: ann.identity.key_id }]);
  const { save: put } = ann.client.records;
  const record = { kind: 'template', id: 'a', version: 1, sealed: bytes() } as const;
  expect(await codeOf(put({ ...record, key_used: bob.identity.key_id }))).toBe('409 keys_replaced');
  expect(await codeOf(put(record as Parameters<typeof put>[0]))).toBe('400 malformed');
});

test('a list of records continues after a given id', async () => {
  for (const id of ['c', 'a', 'b']) await save(ann, id, 0);
  expect((await list(ann, { count: 2 })).map(one => one.id)).toEqual(['a', 'b']);
  expect((await list(ann, { after: 'b' })).map(one => one.id)).toEqual(['c']);
});

test('records are visible only to their owner', async () => {
  await save(ann, 'a', 0);
  await save(bob, 'a', 0);
  expect(await list(bob)).toHaveLength(1);
  await bob.client.records.remove({ kind: 'template', id: 'a' });
  expect(await list(ann)).toHaveLength(1);
});

test('records are limited in number and bytes', async () => {
  await save(ann, 'a', 0);
  const { user_id } = await app.db
    .selectFrom('records')
    .select('user_id')
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const filler = (id: string, sizeBytes: number) => ({
    user_id,
    kind: 'people',
    id,
    version: 1,
    sealed: Buffer.alloc(0),
    size_bytes: sizeBytes,
    key_used: ann.identity.key_id,
    updated_at: new Date(),
  });
  await app.db
    .insertInto('records')
    .values(filler('large', RECORDS_MAX_BYTES - 100))
    .execute();
  expect(await codeOf(save(ann, 'b', 0, bytes(90)))).toBe('507 quota_exceeded');
  await app.db.deleteFrom('records').where('id', '=', 'large').execute();
  await app.db
    .insertInto('records')
    .values(Array.from({ length: RECORDS_MAX - 1 }, (_, index) => filler(`f${index}`, 1)))
    .execute();
  expect(await codeOf(save(ann, 'b', 0))).toBe('422 limit_reached');
  expect((await save(ann, 'a', 1)).data.version).toBe(2);
});
