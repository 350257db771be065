// Containers beside the archive of changes: new ones are copied, those that are no more stay for as long as a moment may need
// them, and what was taken from the archive by mistake comes back. With the whole product: tests/backup.test.ts.
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
  // The number that an embedded PostgreSQL has, in its control file.
  mkdirSync(path.join(root, 'postgres/global'), { recursive: true });
  writeFileSync(path.join(root, 'postgres/global/pg_control'), randomBytes(16));
  place = archiveFolderOf(path.join(root, 'archive'), path.join(root, 'postgres'));
});
afterAll(async () => {
  await database.drop();
  rmSync(root, { recursive: true, force: true });
});

test('a disk that is not mounted is told, and not made up for', async () => {
  await store();
  await expect(archiveContainers(deps())).rejects.toMatchObject({ code: 'archive_failing' });
  mkdirSync(place, { recursive: true });
  expect(await archiveContainers(deps())).toBe(1);
  archive = await createFileBlobs(path.join(place, 'containers'));
});

test('without an archive, and with a bucket, nothing is copied', async () => {
  const { config, ...rest } = deps();
  await store();
  expect(await archiveContainers({ ...rest, config: { ...config, walArchive: undefined } })).toBe(0);
  const s3 = { endpoint: 'http://s3.test' } as unknown as NonNullable<
    Parameters<typeof archiveContainers>[0]['config']['s3']
  >;
  expect(await archiveContainers({ ...rest, config: { ...config, s3 } })).toBe(0);
  expect(await archiveContainers(deps())).toBe(1);
});

test('new containers are copied once, as they are, and one whose bytes come late with the next run', async () => {
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

test('one that fails stops neither the job for good nor what is archived', async () => {
  const { id } = await store();
  const full = { ...blobs, get: () => Promise.reject(new Error('no')) };
  await expect(archiveContainers({ ...deps(), blobs: full })).rejects.toThrow('no');
  expect(await archiveContainers(deps())).toBe(1);
  expect(await archive.has(id)).toBe(true);
});

test('one that is no more stays until no moment needs it, and one that was taken by mistake comes back', async () => {
  const [gone, kept] = [await store(), await store()];
  await archiveContainers(deps());
  segment(clock.now());
  await discardContainer(deps(), gone.id);
  expect(await blobs.has(gone.id)).toBe(false);
  await archive.remove(kept.id);
  expect(await tidyContainerArchive(deps())).toBe(0);
  expect([await archive.has(gone.id), await archive.has(kept.id)]).toEqual([true, true]);
  // What a file system or a person leaves there stops nothing.
  mkdirSync(path.join(place, 'containers/ab/cd'), { recursive: true });
  for (const file of ['ab/cd/.DS_Store', 'gone/.nfs0001'])
    writeFileSync(path.join(place, 'containers', file), '');
  clock.advance(30 * DAY_MS);
  // The oldest change that is kept is from before it went, or so little after that clocks might differ.
  segment(new Date(clock.now().getTime() - 30 * DAY_MS + ARCHIVED_CONTAINER_SPARED_MS - 1_000));
  expect(await tidyContainerArchive(deps())).toBe(0);
  expect(await archive.has(gone.id)).toBe(true);
  segment(new Date(clock.now().getTime() - 28 * DAY_MS));
  expect(await tidyContainerArchive(deps())).toBe(1);
  expect([await archive.has(gone.id), await archive.has(kept.id)]).toEqual([false, true]);
});

test('one that a restore brought back is not gone', async () => {
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
  // Its time begins anew.
  expect(await tidyContainerArchive(deps())).toBe(0);
  expect(await archive.has(id)).toBe(true);
});

test('a link that somebody put into the archive is no container, and leads nowhere', async () => {
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
  // The true one comes in its place.
  await tidyContainerArchive(deps());
  expect((await buffer(await archive.get(id))).equals(bytes)).toBe(true);
  await database.db.deleteFrom('blobs').where('id', '=', id).execute();
  symlinkSync(path.join(root, 'elsewhere'), path.join(place, 'containers/gone', `${id}.gone`));
  await tidyContainerArchive(deps());
  expect(existsSync(path.join(root, 'elsewhere'))).toBe(false);
  expect(readFileSync(secret, 'utf8')).toBe('of the server');
});

test('a pipe that somebody put into the archive is no container, and keeps nobody waiting', async () => {
  const { id, bytes } = await store();
  await archiveContainers(deps());
  const file = path.join(place, 'containers/blobs', blobPath(id));
  rmSync(file);
  execFileSync('mkfifo', [file]);
  expect(await bringBack(archive, createMemoryBlobs(), id)).toBe(false);
  // It may have come after somebody looked whether there is one.
  await expect(archive.get(id)).rejects.toThrow('is not a regular file');
  await tidyContainerArchive(deps());
  expect((await buffer(await archive.get(id))).equals(bytes)).toBe(true);
});

test('folders that somebody made links of lead to nothing that is removed', async () => {
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
