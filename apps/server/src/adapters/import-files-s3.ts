/**
 * Import files in an S3 bucket, so that any machine can read what another one received.
 *
 * [Note: Fetched files] A file is stored in parts, each an object under the import's id, so that
 * the parts of unfinished uploads can be found and removed. Reading needs random access, so the
 * whole file is downloaded first, still encrypted, into a file without a name: it disappears when
 * it is closed or its process is killed.
 *
 * The bucket may belong to others: a download is compared with the stored digest before it is read.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { DISK_RESERVE_BYTES } from '../base/import-limits.ts';
import { isBlobId } from './blob-id.ts';
import { BlobStoreUnavailable } from './blobs.ts';
import type { ImportFiles, StoredFile } from './import-files.ts';
import { createImportFolder, importPath, requireFreeBytes } from './import-files-disk.ts';
import { CONTENT_TYPE, flowing, inParts, openBucket, type S3Options, SILENCE_MAX_MS } from './s3-bucket.ts';
import { createS3Fetch } from './s3-fetch.ts';

/**
 * Size of a part; at most two are in memory. The same for all files: other sizes make stored files
 * unreadable.
 */
const PART_BYTES = 4 * 1024 * 1024;
/** Digits of a part number, enough for more than the largest file. */
const NUMBER_DIGITS = 6;
/** Attempts to read a part when the connection breaks. */
const TRIES = 3;
const PAGE_KEYS = 1_000;
/** Objects that are removed concurrently. */
const LANES = 8;
const ROOT = 'imports/';

function prefixOf(id: string): string {
  if (!isBlobId(id)) throw new Error('Invalid import id');
  return `${ROOT}${id}/`;
}

const keyOf = (id: string, number: number): string =>
  `${prefixOf(id)}${String(number).padStart(NUMBER_DIGITS, '0')}`;

/** A local file without a name: one handle to write to, and one that can only read. */
async function openNameless(dataDir: string): Promise<{ writing: FileHandle; reading: FileHandle }> {
  // If the process dies before the unlink, cleanup removes the file as one that no import needs.
  const name = importPath(dataDir, randomUUID());
  const writing = await open(name, 'wx', 0o600);
  try {
    return { writing, reading: await open(name, 'r') };
  } catch (error) {
    await writing.close();
    throw error;
  } finally {
    await unlink(name);
  }
}

type Bucket = {
  readonly s3: ReturnType<typeof openBucket>;
  readonly dataDir: string;
  readonly silenceMs: number;
};

async function* pagesOf({ s3 }: Bucket, prefix: string) {
  let token: string | undefined;
  do {
    const page = await s3.listObjectsPaged('/', prefix, PAGE_KEYS, token);
    yield page?.objects ?? [];
    token = page?.nextContinuationToken;
  } while (token !== undefined);
}

async function readOnce({ s3, silenceMs }: Bucket, key: string): Promise<Buffer | null> {
  const response = await s3.getObjectResponse(key);
  if (response === null || response.body === null) return null;
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of flowing(response.body, silenceMs)) {
    sizeBytes += piece.length;
    if (sizeBytes > PART_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** One part, or null when it does not exist. */
async function readPart(bucket: Bucket, key: string): Promise<Buffer | null> {
  for (let tries = 1; ; tries++) {
    try {
      return await readOnce(bucket, key);
    } catch (error) {
      if (!(error instanceof BlobStoreUnavailable) || tries === TRIES) throw error;
    }
  }
}

/** Downloads a file; returns whether it is the one that was stored. */
async function download(
  bucket: Bucket,
  id: string,
  { sizeBytes, digest }: StoredFile,
  file: FileHandle,
  goOn: () => Promise<void>,
): Promise<boolean> {
  const hash = createHash('sha256');
  let receivedBytes = 0;
  for (let number = 0; receivedBytes < sizeBytes; number++) {
    await requireFreeBytes(bucket.dataDir, DISK_RESERVE_BYTES + sizeBytes - receivedBytes);
    const part = await readPart(bucket, keyOf(id, number));
    if (part === null || part.length === 0) return false;
    hash.update(part);
    await file.writeFile(part);
    receivedBytes += part.length;
    await goOn();
  }
  return receivedBytes === sizeBytes && hash.digest().equals(digest);
}

async function upload({ s3 }: Bucket, id: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const hash = createHash('sha256');
  let [sizeBytes, number] = [0, 0];
  for await (const part of inParts(content, PART_BYTES)) {
    hash.update(part);
    await s3.putObject(keyOf(id, number), part, CONTENT_TYPE);
    sizeBytes += part.length;
    number += 1;
  }
  return { sizeBytes, digest: hash.digest() };
}

/** Downloads a file and opens it; null when it is incomplete or not the one that was stored. */
async function openDownloaded(
  bucket: Bucket,
  id: string,
  stored: StoredFile,
  goOn: () => Promise<void>,
): Promise<FileHandle | null> {
  await requireFreeBytes(bucket.dataDir, DISK_RESERVE_BYTES + stored.sizeBytes);
  const { writing, reading } = await openNameless(bucket.dataDir);
  let isWhole = false;
  try {
    isWhole = await download(bucket, id, stored, writing, goOn);
    return isWhole ? reading : null;
  } finally {
    await writing.close();
    if (!isWhole) await reading.close();
  }
}

async function removeParts(bucket: Bucket, prefix: string): Promise<void> {
  for await (const objects of pagesOf(bucket, prefix)) {
    const keys = objects.map(({ Key }) => Key).values();
    const removeNext = async () => {
      for (const key of keys) await bucket.s3.deleteObject(key);
    };
    await Promise.all(Array.from({ length: LANES }, removeNext));
  }
}

/** Ids of files of which no part was written for this long. */
async function listQuiet(bucket: Bucket, quietMs: number): Promise<string[]> {
  const writtenAt = new Map<string, number>();
  for await (const objects of pagesOf(bucket, ROOT))
    for (const { Key, LastModified } of objects) {
      const id = Key.slice(ROOT.length).split('/')[0] ?? '';
      if (isBlobId(id)) writtenAt.set(id, Math.max(writtenAt.get(id) ?? 0, LastModified.getTime()));
    }
  return [...writtenAt].filter(([, at]) => Date.now() - at > quietMs).map(([id]) => id);
}

/**
 * Files in a bucket, under `imports/`. Files on this machine from before the bucket was configured
 * are read in place.
 */
export function createImportBucket(
  options: S3Options,
  dataDir: string,
  fetch: typeof globalThis.fetch = createS3Fetch(),
  silenceMs: number = SILENCE_MAX_MS,
): ImportFiles {
  const bucket: Bucket = { s3: openBucket(options, fetch), dataDir, silenceMs };
  const folder = createImportFolder(dataDir);
  return {
    // A full bucket rejects the upload itself.
    requireRoom: async () => undefined,
    put: (id, content) => upload(bucket, id, content),
    open: async (id, stored, goOn) =>
      (await folder.open(id, stored, goOn)) ?? openDownloaded(bucket, id, stored, goOn),
    remove: async id => {
      const prefix = prefixOf(id);
      await folder.remove(id);
      await removeParts(bucket, prefix);
    },
    listQuiet: async quietMs => [
      ...new Set([...(await listQuiet(bucket, quietMs)), ...(await folder.listQuiet(quietMs))]),
    ],
  };
}
