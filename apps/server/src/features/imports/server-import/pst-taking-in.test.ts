// Limits on PST uploads: one upload slot per user, and no byte accepted before the checks pass.
import { existsSync, readdirSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import path from 'node:path';
import { writePst } from '@keyfold/testing/pst-file';
import { expect, test } from 'vitest';
import { codeOf } from '../../../../tests/harness/codes.ts';
import { beginPstUpload } from '../../../../tests/harness/pst-upload.ts';
import { useTwoUsers } from '../../../../tests/harness/two-users.ts';
import { registerTestUser, type TestUser } from '../../../../tests/harness/users.ts';
import { importPath, requireFreeBytes } from '../../../adapters/import-files-disk.ts';
import { PST_UPLOAD_LEASE_MS } from '../../../base/import-limits.ts';
import { createPstRunner, tidyUpImports } from './service.ts';

const world = useTwoUsers();

const FILE = writePst({ folders: [{ name: 'Inbox' }] });

function namesIn(folder: string): string[] {
  const whole = path.join(world.app.config.dataDir, folder);
  return existsSync(whole) ? readdirSync(whole) : [];
}

const start = (user: TestUser) =>
  user.client.server_imports.start_pst({ import_options: '{}' }, { file: new Blob([FILE]) });

const rowsOf = async ({ email }: TestUser) =>
  world.app.db
    .selectFrom('server_imports')
    .innerJoin('users', 'users.id', 'server_imports.user_id')
    .select(['server_imports.id', 'server_imports.status', 'has_folder_tags', 'users.id as userId'])
    .where('users.email', '=', email)
    .execute();

/**
 * Starts an upload that sends its file first and does not end; returns a getter of the response
 * code.
 */
function begin(user: TestUser): { upload: ClientRequest; code: () => string } {
  let text = '';
  const upload = beginPstUpload(world.app.baseUrl, user);
  upload.on('response', response => response.on('data', data => (text += String(data))));
  upload.write('--b\r\ncontent-disposition: form-data; name="pst_file"; filename="blob"\r\n\r\n!BDN');
  return { upload, code: () => /"code":"(\w+)"/.exec(text)?.[1] ?? '' };
}

test('options may follow the file in the form', async () => {
  const ann = await registerTestUser(world.app);
  const form = new FormData();
  form.append('pst_file', new Blob([FILE]));
  form.append('import_options', JSON.stringify({ folders_as_tags: false }));
  const reply = await ann.client.fetch('/user/import/pst', { method: 'POST', body: form });
  expect(reply.status).toBe(200);
  expect(await rowsOf(ann)).toMatchObject([{ status: 'queued', has_folder_tags: false }]);
});

test('invalid options after the file leave neither an import nor a file', async () => {
  const ann = await registerTestUser(world.app);
  const form = new FormData();
  form.append('pst_file', new Blob([FILE]));
  form.append('import_options', '{');
  const before = namesIn('imports');
  const reply = await ann.client.fetch('/user/import/pst', { method: 'POST', body: form });
  expect(reply.status).toBe(400);
  expect(await rowsOf(ann)).toEqual([]);
  expect(namesIn('imports')).toEqual(before);
});

test('a user has one upload at a time, and others are refused before they finish', async () => {
  const ann = await registerTestUser(world.app);
  const before = namesIn('imports').length;
  const first = begin(ann);
  await expect.poll(() => namesIn('imports').length).toBe(before + 1);
  const others = Array.from({ length: 4 }, () => begin(ann));
  for (const other of others) await expect.poll(other.code).toBe('already_in_progress');
  expect(await codeOf(start(ann))).toBe('409 already_in_progress');
  expect(namesIn('imports')).toHaveLength(before + 1);
  expect(namesIn('tmp')).toEqual([]);
  // An incomplete upload is never read.
  for (const { upload } of others) upload.destroy();
  first.upload.destroy();
  await expect.poll(() => rowsOf(ann)).toEqual([]);
  expect(namesIn('imports')).toHaveLength(before);
  await start(ann);
});

test('an upload beyond the quota is refused before it finishes', async () => {
  const ann = await registerTestUser(world.app);
  await world.app.db
    .updateTable('users')
    .set({ bonus_bytes: -6 * 1024 ** 3 })
    .where('email', '=', ann.email)
    .execute();
  const { upload, code } = begin(ann);
  await expect.poll(code).toBe('quota_exceeded');
  upload.destroy();
  expect(await rowsOf(ann)).toEqual([]);
});

test('an unfinished upload of a crashed process expires unread and is deleted with its file', async () => {
  const [ann, cat] = [await registerTestUser(world.app), await registerTestUser(world.app)];
  const { id, userId } = (await start(ann).then(() => rowsOf(ann)))[0] ?? { id: '', userId: '' };
  const now = world.clock.now().getTime();
  await world.app.db
    .updateTable('server_imports')
    .set({ size_bytes: -1, leased_until: new Date(now + PST_UPLOAD_LEASE_MS) })
    .where('id', '=', id)
    .execute();
  expect(await codeOf(start(ann))).toBe('409 already_in_progress');
  world.clock.advance(PST_UPLOAD_LEASE_MS + 1);
  const runner = createPstRunner(world.app.deps);
  while (await runner.runNext(new AbortController().signal));
  expect(await rowsOf(ann)).toMatchObject([{ id, status: 'queued' }]);
  await start(ann);
  expect(existsSync(importPath(world.app.config.dataDir, id))).toBe(false);
  expect(await rowsOf(ann)).toHaveLength(1);
  // The hourly cleanup does the same for users who do not return.
  const other = (await start(cat).then(() => rowsOf(cat)))[0]?.id ?? '';
  await world.app.db
    .updateTable('server_imports')
    .set({ size_bytes: -1, leased_until: new Date(now) })
    .where('id', '=', other)
    .execute();
  await tidyUpImports(world.app.deps);
  await runner.close();
  expect(await rowsOf(cat)).toEqual([]);
  expect(existsSync(importPath(world.app.config.dataDir, other))).toBe(false);
  expect(userId).not.toBe('');
});

test('a reserve of disk space is never used', async () => {
  const { dataDir } = world.app.config;
  await requireFreeBytes(dataDir, 1);
  await expect(requireFreeBytes(dataDir, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    name: 'BlobStoreFull',
  });
});

test('the number of imports per user and day is limited', async () => {
  const ann = await registerTestUser(world.app);
  for (let count = 0; count < 20; count++) {
    const outcome = await codeOf(start(ann));
    expect(outcome).not.toContain('429');
  }
  expect(await codeOf(start(ann))).toBe('429 rate_limited');
});
