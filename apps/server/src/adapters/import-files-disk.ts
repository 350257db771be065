/**
 * Files of imports in `<dataDir>/imports`, one for each: for a service of one machine, or several that share that folder.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DISK_RESERVE_BYTES } from '../base/limits.ts';
import { isBlobId } from './blob-id.ts';
import { BlobStoreFull } from './blobs.ts';
import type { ImportFiles } from './import-files.ts';

const ENDING = '.pst';
const NO_DIGEST = new Uint8Array();

const folderOf = (dataDir: string): string => path.join(dataDir, 'imports');

/** Where the file of an import lies. */
export const importPath = (dataDir: string, id: string): string =>
  path.join(folderOf(dataDir), `${id}${ENDING}`);

async function makeFolder(dataDir: string): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Makes the folder, and rejects with BlobStoreFull when fewer bytes than this are free there. */
export async function requireFreeBytes(dataDir: string, freeBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(await makeFolder(dataDir));
  if (bavail * bsize < freeBytes) throw new BlobStoreFull('The disk has no room for a file of an import');
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
    // Success is told when the bytes are on the disk, not on their way there.
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
