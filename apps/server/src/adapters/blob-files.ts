/**
 * Stores encrypted blobs as files under the data directory. Writes are atomic: put writes to a
 * temporary name, syncs the file, renames it and syncs the folder before it resolves. Creating the
 * store removes temporary files that a crash left behind.
 *
 * Links and pipes are never read as blobs, because other programs may be able to write to the data
 * directory (regular-file.ts).
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { openRegular } from '../base/regular-file.ts';
import { blobPath } from './blob-id.ts';
import type { FormerStore } from './blob-move.ts';

/** Names of blob folders (blob-id.ts). */
const FOLDER = /^[0-9a-f]{2}$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Temporary names that put and check write to before the rename. */
const TEMPORARY = /^(?:check|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-f]{12}$/;
/** Age from which a temporary file cannot belong to an upload that is still running. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a folder with its parents, each of them synced to disk. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made))
    await syncFolder(path.dirname(made));
}

async function writeAll(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let sizeBytes = 0;
  for await (const piece of content) {
    await handle.writeFile(piece);
    sizeBytes += piece.length;
  }
  await handle.sync();
  return sizeBytes;
}

/**
 * An attacker who can write to the data directory could replace the folder with a link, so only our
 * own files are removed.
 */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const file = path.join(folder, name);
    // Another process that uses this folder may have renamed or removed it meanwhile.
    const found = await lstat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await rm(file, { force: true });
  }
}

/** Opens a store in `<dataDir>/blobs`. Rejects when the folder cannot be created. */
export async function createFileBlobs(dataDir: string): Promise<FormerStore> {
  const root = path.join(dataDir, 'blobs');
  const incoming = path.join(root, 'incoming');
  await makeFolder(incoming);
  await removeLeftovers(incoming);
  const fileOf = (id: string) => path.join(root, blobPath(id));
  return {
    put: async (id, content) => {
      const target = fileOf(id);
      const temporary = path.join(incoming, `${id}.${randomBytes(6).toString('hex')}`);
      const handle = await open(temporary, 'wx', FILE_MODE);
      try {
        const sizeBytes = await writeAll(handle, content);
        await handle.close();
        await makeFolder(path.dirname(target));
        await rename(temporary, target);
        await syncFolder(path.dirname(target));
        return sizeBytes;
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(temporary, { force: true });
        throw error;
      }
    },
    // A missing file must cause a rejection here, not an error event that may have no listener yet.
    get: async (id, range) => {
      const file = fileOf(id);
      return createReadStream(file, { ...range, fd: await openRegular(file) });
    },
    remove: async id => {
      const file = fileOf(id);
      await rm(file, { force: true });
    },
    has: async id => {
      const file = fileOf(id);
      try {
        return (await lstat(file)).isFile();
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
        throw error;
      }
    },
    list: async function* () {
      // Folder by folder, because all names at once could be millions.
      for (const outer of await readdir(root)) {
        if (!FOLDER.test(outer)) continue;
        for (const inner of await readdir(path.join(root, outer)))
          if (FOLDER.test(inner)) yield* await readdir(path.join(root, outer, inner));
      }
    },
    check: async () => {
      const probe = path.join(incoming, `check.${randomBytes(6).toString('hex')}`);
      const handle = await open(probe, 'wx', FILE_MODE);
      await handle.close();
      await rm(probe, { force: true });
    },
  };
}
