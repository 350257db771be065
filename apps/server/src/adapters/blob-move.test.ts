// Moving encrypted blobs from files to a bucket: a blob is found wherever it is, moved whole or not
// at all, and removed from both stores.
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../tests/harness/database.ts';
import { insertTestUser, makeNewMail } from '../../tests/harness/mailbox.ts';
import { type S3Server, startS3Server } from '../../tests/harness/s3.ts';
import { createLogger } from '../base/logger.ts';
import { discardContainer, storeContainer, storeMails } from '../features/mailbox/messages/index.ts';
import { moveContainers } from '../features/mailbox/messages/jobs.ts';
import { createFileBlobs } from './blob-files.ts';
import { blobPath } from './blob-id.ts';
import { createMovingBlobs, type FormerStore } from './blob-move.ts';
import { createS3Blobs } from './blob-s3.ts';
import type { BlobStore } from './blobs.ts';
import { systemClock } from './clock.ts';

let dataDir: string;
let s3: S3Server;
let database: TestDatabase;
let files: FormerStore;
let bucket: BlobStore;
let blobs: BlobStore;
let userId: string;

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'kf-move-'));
  s3 = await startS3Server();
  database = await createTestDatabase();
  userId = await insertTestUser(database.db, 'ann@keyfold.test');
  files = await createFileBlobs(dataDir);
  bucket = createS3Blobs(s3.options);
  blobs = createMovingBlobs(files, bucket);
});
afterAll(async () => {
  await database.drop();
  await s3.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
const deps = (store = blobs) => ({
  db: database.db,
  blobs: store,
  clock: systemClock,
  logger: createLogger('silent'),
});
const read = async (store: BlobStore, id: string, range?: { start: number; end: number }) =>
  buffer(await store.get(id, range));
const fileOf = (id: string): string => path.join(dataDir, 'blobs', blobPath(id));

/** Stores a blob that belongs to a message. */
async function storeInMail(store: BlobStore, bytes: Buffer): Promise<string> {
  const container = await storeContainer(deps(store), pieces(bytes));
  const mail = makeNewMail(userId, { attachments: [container] });
  await database.db.transaction().execute(trx => storeMails(trx, [mail]));
  return container.blobId;
}

test('new blobs go to the bucket, and older ones are still read from the files', async () => {
  const bytes = randomBytes(70_000);
  const old = await storeInMail(files, bytes);
  expect(await blobs.has(old)).toBe(true);
  expect(await read(blobs, old, { start: 10, end: 19 })).toEqual(bytes.subarray(10, 20));
  const fresh = await storeInMail(blobs, bytes);
  expect([await files.has(fresh), await bucket.has(fresh)]).toEqual([false, true]);
  expect(await read(blobs, fresh)).toEqual(bytes);
  expect(await blobs.has(randomUUIDv7())).toBe(false);
  await expect(blobs.get(randomUUIDv7())).rejects.toThrow();
  await blobs.check();
});

test('the job moves all blobs without interrupting readers', async () => {
  const contents = new Map<string, Buffer>();
  for (const sizeBytes of [1, 5_000, 300_000, 9_000_000]) {
    const bytes = randomBytes(sizeBytes);
    contents.set(await storeInMail(files, bytes), bytes);
  }
  let isOver = false;
  const reader = async () => {
    let reads = 0;
    while (!isOver) {
      for (const [id, bytes] of contents) expect((await read(blobs, id)).equals(bytes)).toBe(true);
      reads += 1;
    }
    return reads;
  };
  const reading = reader();
  expect(await moveContainers(deps())).toEqual({ moved: 5, failed: 0, all_moved: 1 });
  isOver = true;
  expect(await reading).toBeGreaterThan(0);
  for (const [id, bytes] of contents) {
    expect(existsSync(fileOf(id))).toBe(false);
    expect((await read(bucket, id)).equals(bytes)).toBe(true);
  }
  expect(await moveContainers(deps())).toBe(0);
  expect(await moveContainers(deps(bucket))).toBe(0);
});

test('a blob that arrives damaged stays in the files and is retried', async () => {
  const bytes = randomBytes(20_000);
  const id = await storeInMail(files, bytes);
  const changing: BlobStore = {
    ...bucket,
    put: (to, _content) => bucket.put(to, pieces(randomBytes(20_000))),
  };
  const moving = createMovingBlobs(files, changing);
  expect(await moveContainers(deps(moving))).toEqual({ moved: 0, failed: 1, all_moved: 0 });
  expect(existsSync(fileOf(id))).toBe(true);
  expect(await bucket.has(id)).toBe(false);
  expect((await read(moving, id)).equals(bytes)).toBe(true);
  expect(await moveContainers(deps())).toEqual({ moved: 1, failed: 0, all_moved: 1 });
  expect((await read(bucket, id)).equals(bytes)).toBe(true);
});

test('a blob that differs between the files and the bucket is kept in both', async () => {
  const bytes = randomBytes(20_000);
  const id = await storeInMail(files, bytes);
  await bucket.put(id, pieces(randomBytes(20_000)));
  expect(await moveContainers(deps())).toEqual({ moved: 0, failed: 1, all_moved: 0 });
  expect([await files.has(id), await bucket.has(id)]).toEqual([true, true]);
  await bucket.remove(id);
  expect(await moveContainers(deps())).toEqual({ moved: 1, failed: 0, all_moved: 1 });
});

test('removing a blob deletes it from both stores, and the job deletes files without a row', async () => {
  const lone = await storeContainer(deps(files), pieces(randomBytes(100)));
  await bucket.put(lone.blobId, pieces(randomBytes(100)));
  await discardContainer(deps(), lone.blobId);
  expect([await files.has(lone.blobId), await bucket.has(lone.blobId)]).toEqual([false, false]);
  const stray = randomUUIDv7();
  await files.put(stray, pieces(randomBytes(100)));
  expect(await moveContainers(deps())).toEqual({ moved: 1, failed: 0, all_moved: 1 });
  expect([await files.has(stray), await bucket.has(stray)]).toEqual([false, false]);
});

test('blobs that were removed from the bucket can be restored during the move', async () => {
  s3.keepVersions(true);
  const bytes = randomBytes(20_000);
  const id = await storeInMail(blobs, bytes);
  await blobs.remove(id);
  expect(await blobs.versions?.bringBack(id)).toBe(true);
  expect((await read(blobs, id)).equals(bytes)).toBe(true);
  s3.keepVersions(false);
});
