// Import file stores: what each implementation returns, and how the bucket handles interrupted,
// lost or changed parts.
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type S3Server, startS3Server } from '../../tests/harness/s3.ts';
import type { ImportFiles, StoredFile } from './import-files.ts';
import { createImportFolder, requireFreeBytes } from './import-files-disk.ts';
import { createImportBucket } from './import-files-s3.ts';
import { createS3Fetch, S3_TIMES } from './s3-fetch.ts';

const PART_BYTES = 4 * 1024 * 1024;
const HOUR_MS = 60 * 60 * 1000;

let dirs: { readonly one: string; readonly other: string };
let s3: S3Server;
beforeAll(async () => {
  const make = () => mkdtempSync(path.join(os.tmpdir(), 'kf-imports-'));
  dirs = { one: make(), other: make() };
  s3 = await startS3Server();
});
afterEach(() => s3.spoil(null));
afterAll(async () => {
  for (const dir of Object.values(dirs)) rmSync(dir, { recursive: true, force: true });
  await s3.close();
});

/** Opens the bucket as one machine does, with shorter timeouts. */
const bucketAt = (dataDir: string): ImportFiles =>
  createImportBucket(s3.options, dataDir, createS3Fetch({ ...S3_TIMES, pausesMs: [], restMs: 0 }), 1_000);

const KINDS: Readonly<Record<string, () => { readonly taking: ImportFiles; readonly reading: ImportFiles }>> =
  {
    'a folder': () => ({ taking: createImportFolder(dirs.one), reading: createImportFolder(dirs.one) }),
    'a bucket': () => ({ taking: bucketAt(dirs.one), reading: bucketAt(dirs.other) }),
  };

/** Yields content in pieces that match no part boundary, as a network delivers it. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1_000_003) yield bytes.subarray(at, at + 1_000_003);
}

const goOn = async (): Promise<void> => undefined;

async function getOpened(files: ImportFiles, id: string, stored: StoredFile): Promise<FileHandle> {
  const file = await files.open(id, stored, goOn);
  if (file === null) throw new Error('The file is not there');
  return file;
}

function importsIn(dir: string): string[] {
  try {
    return readdirSync(path.join(dir, 'imports'));
  } catch {
    return [];
  }
}

describe.each(Object.entries(KINDS))('%s', (_name, open) => {
  test.each([1, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 12_345])(
    'returns %i bytes at any offset, and nothing after removal',
    async sizeBytes => {
      const { taking, reading } = open();
      const [id, bytes] = [randomUUIDv7(), randomBytes(sizeBytes)];
      const stored = await taking.put(id, inPieces(bytes));
      expect(stored.sizeBytes).toBe(sizeBytes);
      const file = await getOpened(reading, id, stored);
      const end = Buffer.alloc(10);
      const { bytesRead } = await file.read(end, 0, end.length, sizeBytes - 1);
      expect(end.subarray(0, bytesRead).equals(bytes.subarray(-1))).toBe(true);
      expect((await file.readFile()).equals(bytes)).toBe(true);
      await expect(file.write(end)).rejects.toMatchObject({ code: 'EBADF' });
      await file.close();
      await reading.remove(id);
      expect(await taking.open(id, stored, goOn)).toBeNull();
      await reading.remove(id);
      expect(s3.keys().filter(key => key.includes(id))).toEqual([]);
    },
  );

  test('lists files that have not been written to for a while', async () => {
    const { taking, reading } = open();
    const [quiet, busy] = [randomUUIDv7(), randomUUIDv7()];
    await taking.put(quiet, inPieces(randomBytes(PART_BYTES + 1)));
    s3.age(2 * HOUR_MS);
    const before = new Date(Date.now() - 2 * HOUR_MS);
    for (const name of importsIn(dirs.one)) utimesSync(path.join(dirs.one, 'imports', name), before, before);
    await taking.put(busy, inPieces(randomBytes(10)));
    const found = await reading.listQuiet(HOUR_MS);
    expect(found).toContain(quiet);
    expect(found).not.toContain(busy);
    for (const id of [quiet, busy]) await taking.remove(id);
  });

  test('removes what an interrupted upload left when asked to', async () => {
    const { taking } = open();
    const id = randomUUIDv7();
    async function* broken() {
      yield randomBytes(PART_BYTES + 1);
      throw new Error('The upload was interrupted');
    }
    await expect(taking.put(id, broken())).rejects.toThrow('The upload was interrupted');
    await taking.remove(id);
    expect(s3.keys().filter(key => key.includes(id))).toEqual([]);
    expect(importsIn(dirs.one)).not.toContain(`${id}.pst`);
  });
});

test('removing a file of several hundred parts removes all of them and no other file', async () => {
  const bucket = bucketAt(dirs.one);
  const [large, small] = [randomUUIDv7(), randomUUIDv7()];
  for (let number = 0; number < 1_234; number++)
    s3.exchange(`imports/${large}/${String(number).padStart(6, '0')}`, Buffer.of(1));
  await bucket.put(small, inPieces(randomBytes(10)));
  expect((await bucket.listQuiet(-HOUR_MS)).sort()).toEqual([large, small].sort());
  await bucket.remove(large);
  expect(s3.keys()).toEqual([`imports/${small}/000000`]);
  await bucket.remove(small);
});

test('a file fetched from a bucket has no name on the disk and is gone once closed', async () => {
  const [bucket, id] = [bucketAt(dirs.other), randomUUIDv7()];
  const stored = await bucket.put(id, inPieces(randomBytes(PART_BYTES + 1)));
  const seen: string[][] = [];
  const file = await bucket.open(id, stored, async () => {
    seen.push(importsIn(dirs.other));
  });
  expect(seen).toEqual([[], []]);
  expect(importsIn(dirs.other)).toEqual([]);
  await file?.close();
  await bucket.remove(id);
});

test('a file with a missing, changed or longer part cannot be opened', async () => {
  const [bucket, id] = [bucketAt(dirs.other), randomUUIDv7()];
  const stored = await bucket.put(id, inPieces(randomBytes(PART_BYTES + 100)));
  const [first, second] = [`imports/${id}/000000`, `imports/${id}/000001`];
  const [kept, rest] = [s3.object(first) ?? Buffer.of(), s3.object(second) ?? Buffer.of()];
  const flipped = Buffer.from(rest);
  flipped.writeUInt8(flipped.readUInt8(0) ^ 1, 0);
  for (const bytes of [flipped, Buffer.of(), rest.subarray(1), Buffer.concat([rest, rest])]) {
    s3.exchange(second, bytes);
    expect(await bucket.open(id, stored, goOn)).toBeNull();
  }
  s3.exchange(second, rest);
  s3.exchange(first, Buffer.concat([kept, rest]));
  expect(await bucket.open(id, stored, goOn)).toBeNull();
  s3.exchange(first, kept);
  await (await getOpened(bucket, id, stored)).close();
  await bucket.remove(id);
});

test('an unreachable bucket is an error, a broken part is fetched again, and an abort stops', async () => {
  const [bucket, id] = [bucketAt(dirs.other), randomUUIDv7()];
  const stored = await bucket.put(id, inPieces(randomBytes(PART_BYTES + 100)));
  s3.spoil('half', 2);
  await (await getOpened(bucket, id, stored)).close();
  for (const fault of ['half', 'gone', 'failing'] as const) {
    s3.spoil(fault);
    await expect(bucket.open(id, stored, goOn)).rejects.toMatchObject({ name: 'BlobStoreUnavailable' });
  }
  s3.spoil('full');
  await expect(bucket.put(randomUUIDv7(), inPieces(Buffer.of(1)))).rejects.toMatchObject({
    name: 'BlobStoreFull',
  });
  s3.spoil(null);
  const stop = () => Promise.reject(new Error('Stopped'));
  await expect(bucket.open(id, stored, stop)).rejects.toThrow('Stopped');
  expect(importsIn(dirs.other)).toEqual([]);
  await bucket.remove(id);
});

test('a reserve of disk space stays free, also when files are fetched from a bucket', async () => {
  await requireFreeBytes(dirs.one, 1);
  await expect(requireFreeBytes(dirs.one, Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({
    name: 'BlobStoreFull',
  });
  const [bucket, id] = [bucketAt(dirs.other), randomUUIDv7()];
  const stored = await bucket.put(id, inPieces(randomBytes(10)));
  const larger = { ...stored, sizeBytes: Number.MAX_SAFE_INTEGER / 2 };
  await expect(bucket.open(id, larger, goOn)).rejects.toMatchObject({ name: 'BlobStoreFull' });
  await bucket.remove(id);
});

test('a file from before the bucket is read from its folder and removed with its import', async () => {
  const [folder, bucket, id] = [createImportFolder(dirs.one), bucketAt(dirs.one), randomUUIDv7()];
  const stored = await folder.put(id, inPieces(Buffer.from('from before')));
  const file = await getOpened(bucket, id, stored);
  expect(await file.readFile('utf8')).toBe('from before');
  await file.close();
  await bucket.remove(id);
  expect(await bucket.open(id, { ...stored, sizeBytes: 1 }, goOn)).toBeNull();
});

test('objects beside import files are not listed, and a malformed id is not used as a path', async () => {
  for (const name of ['notes.txt', 'copy of mail.pst'])
    writeFileSync(path.join(dirs.one, 'imports', name), '');
  s3.exchange('imports/notes.txt', Buffer.of(1));
  const bucket = bucketAt(dirs.one);
  expect(await bucket.listQuiet(-HOUR_MS)).toEqual([]);
  await expect(bucket.remove('../blobs')).rejects.toThrow('Invalid import id');
});
