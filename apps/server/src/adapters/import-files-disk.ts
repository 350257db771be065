/**
 * Stores import files in `<dataDir>/imports`, one file per import, for a service on one machine or
 * on several that share this folder.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DISK_RESERVE_BYTES } from '../base/import-limits.ts';
import { isBlobId } from './blob-id.ts';
import { BlobStoreFull } from './blobs.ts';
import type { ImportFiles } from './import-files.ts';

const ENDING = '.pst';
const NO_DIGEST = new Uint8Array();

const folderOf = (dataDir: string): string => path.join(dataDir, 'imports');

/** Returns the path of an import's file. */
export const importPath = (dataDir: string, id: string): string =>
  path.join(folderOf(dataDir), `${id}${ENDING}`);

async function makeFolder(dataDir: string): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Creates the folder, and rejects with BlobStoreFull when it has less free space than this, in
 * bytes.
 */
export async function requireFreeBytes(dataDir: string, freeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(await makeFolder(dataDir));
  if (bavail * bsize < freeBytes) throw new BlobStoreFull('The disk has no space for an import file');
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

export const createImportFolder = (dataDir: string): ImportFiles => ({
  requireRoom: () => requireFreeBytes(dataDir, DISK_RESERVE_BYTES),
  put: async (id, content) => {
    await makeFolder(dataDir);
    let sizeBytes = 0;
    const counted = async function* () {
      for await (const chunk of content) {
        sizeBytes += chunk.length;
        yield chunk;
      }
    };
    // The promise resolves only when the bytes are on disk, not while they are buffered.
    const file = createWriteStream(importPath(dataDir, id), { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(counted(), file);
    return { sizeBytes, digest: NO_DIGEST };
  },
  open: async id => {
    try {
      return await open(importPath(dataDir, id), 'r');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  },
  remove: async id => {
    await unlink(importPath(dataDir, id)).catch(error => {
      if (!isMissing(error)) throw error;
    });
  },
  listQuiet: async quietMs => {
    const names = await readdir(folderOf(dataDir)).catch(() => []);
    const found: string[] = [];
    for (const id of names.filter(one => one.endsWith(ENDING)).map(one => one.slice(0, -ENDING.length))) {
      if (!isBlobId(id)) continue;
      const state = await stat(importPath(dataDir, id)).catch(() => null);
      if (state !== null && Date.now() - state.mtimeMs > quietMs) found.push(id);
    }
    return found;
  },
});
