// Containers beside the WAL archive: new ones are copied, removed ones stay as long as a restorable
// moment may need them, and ones deleted from the archive by mistake are copied again.
// tests/backup.test.ts tests this with the whole product.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestClock } from '../../../../tests/harness/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../tests/harness/database.ts';
import { createFileBlobs } from '../../../adapters/blob-files.ts';
import { blobPath } from '../../../adapters/blob-id.ts';
import { createMemoryBlobs } from '../../../adapters/blob-memory.ts';
import type { BlobStore } from '../../../adapters/blobs.ts';
import { ARCHIVED_CONTAINER_SPARED_MS } from '../../../base/limits.ts';
import { createLogger } from '../../../base/logger.ts';
import { archiveFolderOf } from '../../../db/wal-archive.ts';
import { discardContainer, storeContainer } from '../../mailbox/messages/index.ts';
import { bringBack } from './container-archive.ts';
import { archiveContainers, tidyContainerArchive } from './jobs.ts';

const blobs = createMemoryBlobs();
const clock = createTestClock();
const DAY_MS = 24 * 60 * 60_000;
const logger = createLogger('silent');
let root: string;
let database: TestDatabase;
let place: string;
let archive: BlobStore;

const deps = () => ({
  blobs,
  clock,
  db: database.db,
  logger,
  config: { dataDir: root, s3: undefined, walArchive: path.join(root, 'archive') },
});
async function store(): Promise<{ readonly id: string; readonly bytes: Buffer }> {
  const bytes = randomBytes(300);
  async function* content() {
    yield bytes;
  }
  return { id: (await storeContainer(deps(), content())).blobId, bytes };
}
function segment(at: Date): void {
  const file = path.join(place, '0000000100000000000000A1.gz');
  writeFileSync(file, '');
  utimesSync(file, at, at);
}

beforeAll(async () => {
  database = await createTestDatabase();
  root = mkdtempSync(path.join(os.tmpdir(), 'kf-archived-'));
  // System identifier of the embedded PostgreSQL, in its control file.
  mkdirSync(path.join(root, 'postgres/global'), { recursive: true });
  writeFileSync(path.join(root, 'postgres/global/pg_control'), randomBytes(16));
  place = archiveFolderOf(path.join(root, 'archive'), path.join(root, 'postgres'));
});
afterAll(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

test('an unmounted archive disk is reported, and its folder is not created', async () => {
  await store();
  await expect(archiveContainers(deps())).rejects.toMatchObject({ code: 'archive_failing' });
  mkdirSync(place, { recursive: true });
  expect(await archiveContainers(deps())).toBe(1);
  archive = await createFileBlobs(path.join(place, 'containers'));
});

test('nothing is copied without an archive or with a bucket', async () => {
  const { config, ...rest } = deps();
  await store();
  expect(await archiveContainers({ ...rest, config: { ...config, walArchive: undefined } })).toBe(0);
  const s3 = { endpoint: 'http://s3.test' } as unknown as NonNullable<
    Parameters<typeof archiveContainers>[0]['config']['s3']
  >;
  expect(await archiveContainers({ ...rest, config: { ...config, s3 } })).toBe(0);
  expect(await archiveContainers(deps())).toBe(1);
});

test('new blobs are copied once and unchanged, and a late one is copied by the next run', async () => {
  const [one, other] = [await store(), await store()];
  const bytes = await blobs.get(other.id);
  await blobs.remove(other.id);
  expect(await archiveContainers(deps())).toBe(1);
  expect(await archiveContainers(deps())).toBe(0);
  expect((await buffer(await archive.get(one.id))).equals(one.bytes)).toBe(true);
  await blobs.put(other.id, bytes);
  clock.advance(DAY_MS / 2);
  expect(await archiveContainers(deps())).toBe(1);
});

test('a blob that fails stops only the current run', async () => {
  const { id } = await store();
  const full = { ...blobs, get: () => Promise.reject(new Error('no')) };
  await expect(archiveContainers({ ...deps(), blobs: full })).rejects.toThrow('no');
  expect(await archiveContainers(deps())).toBe(1);
  expect(await archive.has(id)).toBe(true);
});

test('a removed blob stays while a restore may need it, and one missing from the archive is copied again', async () => {
  const [gone, kept] = [await store(), await store()];
  await archiveContainers(deps());
  segment(clock.now());
  await discardContainer(deps(), gone.id);
  expect(await blobs.has(gone.id)).toBe(false);
  await archive.remove(kept.id);
  expect(await tidyContainerArchive(deps())).toBe(0);
  expect([await archive.has(gone.id), await archive.has(kept.id)]).toEqual([true, true]);
  // Unrelated files left by a file system or a person do no harm.
  mkdirSync(path.join(place, 'containers/ab/cd'), { recursive: true });
  for (const file of ['ab/cd/.DS_Store', 'gone/.nfs0001'])
    writeFileSync(path.join(place, 'containers', file), '');
  clock.advance(30 * DAY_MS);
  // The oldest retained change predates the removal, or follows it so closely that clocks might
  // differ.
  segment(new Date(clock.now().getTime() - 30 * DAY_MS + ARCHIVED_CONTAINER_SPARED_MS - 1_000));
  expect(await tidyContainerArchive(deps())).toBe(0);
  expect(await archive.has(gone.id)).toBe(true);
  segment(new Date(clock.now().getTime() - 28 * DAY_MS));
  expect(await tidyContainerArchive(deps())).toBe(1);
  expect([await archive.has(gone.id), await archive.has(kept.id)]).toEqual([false, true]);
});

test('the retention period of a blob that a restore brought back starts again', async () => {
  const { id } = await store();
  await archiveContainers(deps());
  const row = await database.db
    .selectFrom('blobs')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await database.db.deleteFrom('blobs').where('id', '=', id).execute();
  await tidyContainerArchive(deps());
  await database.db.insertInto('blobs').values(row).execute();
  await tidyContainerArchive(deps());
  clock.advance(10 * DAY_MS);
  segment(clock.now());
  await database.db.deleteFrom('blobs').where('id', '=', id).execute();
  // Its retention period starts again.
  expect(await tidyContainerArchive(deps())).toBe(0);
  expect(await archive.has(id)).toBe(true);
});

test('a symlink in the archive is not a blob and is not followed', async () => {
  const { id, bytes } = await store();
  await archiveContainers(deps());
  const file = path.join(place, 'containers/blobs', blobPath(id));
  const secret = path.join(root, 'secret');
  writeFileSync(secret, 'of the server');
  rmSync(file);
  symlinkSync(secret, file);
  const empty = createMemoryBlobs();
  expect(await bringBack(archive, empty, id)).toBe(false);
  expect(await empty.has(id)).toBe(false);
  await expect(archive.get(id)).rejects.toThrow('is not a regular file');
  // The real container replaces it.
  await tidyContainerArchive(deps());
  expect((await buffer(await archive.get(id))).equals(bytes)).toBe(true);
  await database.db.deleteFrom('blobs').where('id', '=', id).execute();
  symlinkSync(path.join(root, 'elsewhere'), path.join(place, 'containers/gone', `${id}.gone`));
  await tidyContainerArchive(deps());
  expect(existsSync(path.join(root, 'elsewhere'))).toBe(false);
  expect(readFileSync(secret, 'utf8')).toBe('of the server');
});

test('a pipe in the archive is not a blob and does not block', async () => {
  const { id, bytes } = await store();
  await archiveContainers(deps());
  const file = path.join(place, 'containers/blobs', blobPath(id));
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(await bringBack(archive, createMemoryBlobs(), id)).toBe(false);
  // It may have been created after the check for its existence.
  await expect(archive.get(id)).rejects.toThrow('is not a regular file');
  await tidyContainerArchive(deps());
  expect((await buffer(await archive.get(id))).equals(bytes)).toBe(true);
});

test('nothing is removed through folders that were replaced with symlinks', async () => {
  const { id } = await store();
  await archiveContainers(deps());
  const long = new Date(Date.now() - 3 * DAY_MS);
  const folders = [
    { link: 'containers/blobs/incoming', name: 'master.key' },
    { link: 'containers/gone', name: id },
  ].map(({ link, name }, at) => {
    const target = path.join(root, `of the server ${at}`);
    const file = path.join(target, name);
    mkdirSync(target);
    writeFileSync(file, 'of the server');
    utimesSync(file, long, long);
    rmSync(path.join(place, link), { recursive: true });
    symlinkSync(target, path.join(place, link));
    return { file, link: path.join(place, link) };
  });
  await tidyContainerArchive(deps());
  expect(folders.map(({ file }) => existsSync(file))).toEqual([true, true]);
  for (const { link } of folders) rmSync(link);
});
