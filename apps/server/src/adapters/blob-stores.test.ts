import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../tests/harness/s3.ts';
import { createFileBlobs } from './blob-files.ts';
import { createMemoryBlobs } from './blob-memory.ts';
import { createS3Blobs } from './blob-s3.ts';
import { type BlobStore, BlobStoreUnavailable, type BlobVersions, BlobVersionsRefused } from './blobs.ts';

let dir: string;
let s3: S3Server;
beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'kf-blobs-'));
  s3 = await startS3Server();
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await s3.close();
});

/** Also tests a real object store when the environment names one. */
function realS3() {
  const { S3_TEST_ENDPOINT, S3_TEST_BUCKET, S3_TEST_ACCESS_KEY, S3_TEST_SECRET_KEY } = process.env;
  if (!S3_TEST_ENDPOINT || !S3_TEST_BUCKET || !S3_TEST_ACCESS_KEY || !S3_TEST_SECRET_KEY) return null;
  return {
    endpoint: S3_TEST_ENDPOINT,
    bucket: S3_TEST_BUCKET,
    accessKey: S3_TEST_ACCESS_KEY,
    secretKey: S3_TEST_SECRET_KEY,
    region: 'us-east-1',
  };
}

const STORES: Record<string, () => Promise<BlobStore>> = {
  memory: async () => createMemoryBlobs(),
  files: () => createFileBlobs(dir),
  S3: async () => createS3Blobs(s3.options),
};
const real = realS3();
if (real !== null) STORES['a real object store'] = async () => createS3Blobs(real);

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

describe.each(Object.entries(STORES))('%s', (_name, open) => {
  let store: BlobStore;
  beforeAll(async () => {
    store = await open();
  });

  test('returns stored content, whole and by range', async () => {
    const id = randomUUIDv7();
    const [a, b] = [randomBytes(70_000), randomBytes(30_000)];
    const whole = Buffer.concat([a, b]);
    expect(await store.put(id, pieces(a, b))).toBe(100_000);
    expect((await buffer(await store.get(id))).equals(whole)).toBe(true);
    const ranges: [number, number][] = [
      [0, 0],
      [0, 7],
      [69_990, 70_010],
      [99_999, 99_999],
      [0, 99_999],
    ];
    for (const [start, end] of ranges) {
      const read = await buffer(await store.get(id, { start, end }));
      expect(read.equals(whole.subarray(start, end + 1))).toBe(true);
    }
  });

  test('stores content of several parts, of exactly one part, and empty content', async () => {
    const part = 8 * 1024 * 1024;
    for (const sizeBytes of [0, 1, part - 1, part, part + 1, 2 * part, 2 * part + 12_345]) {
      const id = randomUUIDv7();
      const bytes = randomBytes(sizeBytes);
      const cut = Array.from({ length: Math.ceil(sizeBytes / 1_000_003) }, (_, n) =>
        bytes.subarray(n * 1_000_003, (n + 1) * 1_000_003),
      );
      expect(await store.put(id, pieces(...cut))).toBe(sizeBytes);
      expect((await buffer(await store.get(id))).equals(bytes)).toBe(true);
      if (sizeBytes > 20) {
        const end = sizeBytes - 1;
        const read = await buffer(await store.get(id, { start: end - 9, end }));
        expect(read.equals(bytes.subarray(end - 9))).toBe(true);
      }
      await store.remove(id);
    }
  });

  test('keeps nothing of an upload that broke off', async () => {
    const broken = (failAfter: number) =>
      (async function* () {
        for (let n = 0; n < failAfter; n++) yield randomBytes(1024 * 1024);
        throw new Error('connection lost');
      })();
    for (const failAfter of [0, 1, 9, 18]) {
      const id = randomUUIDv7();
      await expect(store.put(id, broken(failAfter))).rejects.toThrow('connection lost');
      await expect(store.get(id)).rejects.toThrow();
    }
  });

  test('removes blobs, and removing one again does no harm', async () => {
    const id = randomUUIDv7();
    expect(await store.has(id)).toBe(false);
    await store.put(id, pieces(randomBytes(10)));
    expect(await store.has(id)).toBe(true);
    await store.remove(id);
    expect(await store.has(id)).toBe(false);
    await expect(store.get(id)).rejects.toThrow();
    await store.remove(id);
  });

  test('refuses names that are not ids', async () => {
    for (const name of ['../../etc/passwd', 'a/b', '', `${randomUUIDv7()}/..`, '..']) {
      await expect(store.put(name, pieces(randomBytes(1)))).rejects.toThrow();
      await expect(store.get(name)).rejects.toThrow();
      await expect(store.remove(name)).rejects.toThrow();
      await expect(store.has(name)).rejects.toThrow();
    }
  });

  test('reports that it is reachable', () => expect(store.check()).resolves.toBeUndefined());
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name));

test('blob files are stored by the random end of their id, readable by the owner only', async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kf-blobs-'));
  try {
    const store = await createFileBlobs(root);
    const id = randomUUIDv7();
    await store.put(id, pieces(randomBytes(10)));
    await store.check();
    const expected = path.join(root, 'blobs', id.slice(-2), id.slice(-4, -2), id);
    expect(filesIn(root)).toEqual([expected]);
    expect(statSync(expected).mode & 0o777).toBe(0o600);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('a start removes half-written files of a crash, but neither active uploads nor foreign files', async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'kf-blobs-'));
  try {
    await createFileBlobs(root);
    const names = ['0', '1'].map(end => `${randomUUIDv7()}.00000000000${end}`);
    const [old = '', fresh = '', foreign = '', check = ''] = [
      ...names,
      'master.key',
      'check.000000000002',
    ].map(name => path.join(root, 'blobs', 'incoming', name));
    for (const file of [old, fresh, foreign, check]) writeFileSync(file, 'half');
    const twoDaysAgo = Date.now() / 1000 - 2 * 86_400;
    for (const file of [old, foreign, check]) utimesSync(file, twoDaysAgo, twoDaysAgo);
    await createFileBlobs(root);
    expect(filesIn(root).sort()).toEqual([fresh, foreign].sort());
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

test('an object store with a wrong key or without the bucket is not reachable', async () => {
  await expect(createS3Blobs({ ...s3.options, secretKey: 'wrong' }).check()).rejects.toThrow();
  await expect(createS3Blobs({ ...s3.options, bucket: 'other' }).check()).rejects.toThrow();
  await expect(
    createS3Blobs({ ...s3.options, secretKey: 'wrong' }).put(randomUUIDv7(), pieces(randomBytes(5))),
  ).rejects.toThrow();
  expect(s3.openUploads()).toBe(0);
});

describe('removed blobs in a versioned bucket', () => {
  const bytes = randomBytes(100);
  let store: BlobStore;
  let versions: BlobVersions;
  const removed = async (times = 1): Promise<string> => {
    const id = randomUUIDv7();
    await store.put(id, pieces(bytes));
    for (let time = 0; time < times; time++) await store.remove(id);
    return id;
  };
  beforeAll(() => {
    s3.keepVersions(true);
    store = createS3Blobs(s3.options);
    if (store.versions === undefined) throw new Error('A bucket may have versions');
    versions = store.versions;
  });
  afterAll(() => s3.keepVersions(false));

  test('are restored unchanged despite any number of delete markers; repeating that does nothing', async () => {
    expect(await versions.areKept()).toBe(true);
    for (const times of [1, 3]) {
      const before = s3.versionCount();
      const id = await removed(times);
      expect(await store.has(id)).toBe(false);
      for (let time = 0; time < 2; time++) {
        expect(await versions.bringBack(id)).toBe(true);
        expect((await buffer(await store.get(id))).equals(bytes)).toBe(true);
        expect(s3.versionCount()).toBe(before + 1);
      }
    }
  });

  test('are not restored when unknown or without versions, and get no marker', async () => {
    const [id, before] = [await removed(), s3.versionCount()];
    expect(await versions.bringBack(randomUUIDv7())).toBe(false);
    expect(s3.versionCount()).toBe(before);
    s3.expireVersions();
    const left = s3.versionCount();
    expect(await versions.bringBack(id)).toBe(false);
    expect(s3.versionCount()).toBe(left);
  });

  test('are restored only when they were removed before versioning was suspended', async () => {
    const before = await removed();
    s3.keepVersions(false);
    expect(await versions.areKept()).toBe(false);
    const since = await removed();
    expect([await versions.bringBack(before), await versions.bringBack(since)]).toEqual([true, false]);
    s3.keepVersions(true);
  });

  test('are not restored without versioning; denied access to versions is an error', async () => {
    const id = await removed();
    s3.spoil('simple');
    expect([await versions.areKept(), await versions.bringBack(id)]).toEqual([false, false]);
    s3.spoil('guarded');
    await expect(versions.bringBack(id)).rejects.toThrow(BlobVersionsRefused);
    s3.spoil('half');
    await expect(versions.bringBack(id)).rejects.toThrow(BlobStoreUnavailable);
    s3.spoil(null);
    expect(await versions.bringBack(id)).toBe(true);
  });
});
