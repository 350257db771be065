/**
 * Files of imports in an S3 bucket, so that any machine reads what another one took in. [Note: Fetched files] A file lies there
 * in parts, each an object of its own under the import's id, since parts of an upload that nobody finishes can be found and
 * removed. Reading jumps all over a file, so all of it is brought here first, still encrypted, into a file without a name: it
 * is gone when it is closed, and when its process is killed, so that no machine keeps any of it.
 *
 * A bucket may belong to others. What comes back is compared with what was stored before anything of it is read.
 */
import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { DISK_RESERVE_BYTES } from '../base/limits.ts';
import { isBlobId } from './blob-id.ts';
import { BlobStoreUnavailable } from './blobs.ts';
import type { ImportFiles, StoredFile } from './import-files.ts';
import { createImportFolder, importPath, requireFreeBytes } from './import-files-disk.ts';
import { CONTENT_TYPE, flowing, inParts, openBucket, type S3Options, SILENCE_MAX_MS } from './s3-bucket.ts';
import { createS3Fetch } from './s3-fetch.ts';

/** Bytes of one part, of which two at most are in memory; of all files alike, or what lies there could not be read. */
const PART_BYTES = 4 * 1024 * 1024;
/** Digits of a part's number, enough for more than the largest file. */
const NUMBER_DIGITS = 6;
/** Of one that breaks off on its way. */
const TRIES = 3;
const PAGE_KEYS = 1_000;
/** Objects that are removed at one time. */
const LANES = 8;
const ROOT = 'imports/';

function prefixOf(id: string): string {
  if (!isBlobId(id)) throw new Error('Not an id of an import');
  return `${ROOT}${id}/`;
}

const keyOf = (id: string, number: number): string =>
  `${prefixOf(id)}${String(number).padStart(NUMBER_DIGITS, '0')}`;

/** A file of this machine without a name: one end to write to, one that can only be read. */
async function openNameless(dataDir: string): Promise<{ writing: FileHandle; reading: FileHandle }> {
  // One whose process dies before the name is gone is a file that no import needs, and goes with those.
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

/** Files in a bucket, under `imports/`; those that lie here from before there was one are read where they are. */
export function createImportBucket(
  options: S3Options,
  dataDir: string,
  fetch: typeof globalThis.fetch = createS3Fetch(),
  silenceMs: number = SILENCE_MAX_MS,
): ImportFiles {
  const s3 = openBucket(options, fetch);
  const folder = createImportFolder(dataDir);

  async function* pagesOf(prefix: string) {
    let token: string | undefined;
    do {
      const page = await s3.listObjectsPaged('/', prefix, PAGE_KEYS, token);
      yield page?.objects ?? [];
      token = page?.nextContinuationToken;
    } while (token !== undefined);
  }

  const readOnce = async (key: string): Promise<Buffer | null> => {
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
  };

  /** One part, or null when it is not there. */
  const readPart = async (key: string): Promise<Buffer | null> => {
    for (let tries = 1; ; tries++) {
      try {
        return await readOnce(key);
      } catch (error) {
        if (!(error instanceof BlobStoreUnavailable) || tries === TRIES) throw error;
      }
    }
  };

  /** Brings a file here; whether it is the one that was stored. */
  const bring = async (
    id: string,
    { sizeBytes, digest }: StoredFile,
    file: FileHandle,
    goOn: () => Promise<void>,
  ): Promise<boolean> => {
    const hash = createHash('sha256');
    let broughtBytes = 0;
    for (let number = 0; broughtBytes < sizeBytes; number++) {
      await requireFreeBytes(dataDir, DISK_RESERVE_BYTES + sizeBytes - broughtBytes);
      const part = await readPart(keyOf(id, number));
      if (part === null || part.length === 0) return false;
      hash.update(part);
      await file.writeFile(part);
      broughtBytes += part.length;
      await goOn();
    }
    return broughtBytes === sizeBytes && hash.digest().equals(digest);
  };

  return {
    // The bucket says so itself when it is full.
    requireRoom: async () => undefined,
    put: async (id, content) => {
      const hash = createHash('sha256');
      let [sizeBytes, number] = [0, 0];
      for await (const part of inParts(content, PART_BYTES)) {
        hash.update(part);
        await s3.putObject(keyOf(id, number), part, CONTENT_TYPE);
        sizeBytes += part.length;
        number += 1;
      }
      return { sizeBytes, digest: hash.digest() };
    },
    open: async (id, stored, goOn) => {
      const lying = await folder.open(id, stored, goOn);
      if (lying !== null) return lying;
      await requireFreeBytes(dataDir, DISK_RESERVE_BYTES + stored.sizeBytes);
      const { writing, reading } = await openNameless(dataDir);
      let isWhole = false;
      try {
        isWhole = await bring(id, stored, writing, goOn);
        return isWhole ? reading : null;
      } finally {
        await writing.close();
        if (!isWhole) await reading.close();
      }
    },
    remove: async id => {
      const prefix = prefixOf(id);
      await folder.remove(id);
      for await (const objects of pagesOf(prefix)) {
        const keys = objects.map(({ Key }) => Key).values();
        const removeNext = async () => {
          for (const key of keys) await s3.deleteObject(key);
        };
        await Promise.all(Array.from({ length: LANES }, removeNext));
      }
    },
    listQuiet: async quietMs => {
      const writtenAt = new Map<string, number>();
      for await (const objects of pagesOf(ROOT))
        for (const { Key, LastModified } of objects) {
          const id = Key.slice(ROOT.length).split('/')[0] ?? '';
          if (isBlobId(id)) writtenAt.set(id, Math.max(writtenAt.get(id) ?? 0, LastModified.getTime()));
        }
      const quiet = [...writtenAt].filter(([, at]) => Date.now() - at > quietMs).map(([id]) => id);
      return [...new Set([...quiet, ...(await folder.listQuiet(quietMs))])];
    },
  };
}
