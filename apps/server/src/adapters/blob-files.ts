/**
 * Containers as files under the data directory. A file appears whole or not at all: written under another name, forced
 * to disk, renamed, and the folder forced to disk, before put resolves. Temporary files that a crash left are removed
 * when the store is made.
 *
 * A link or a pipe is no container, since others may write beside an archive (regular-file.ts).
 */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { openRegular } from '../base/regular-file.ts';
import { blobPath } from './blob-id.ts';
import type { FormerStore } from './blob-move.ts';

/** Folders of containers (blob-id.ts). */
const FOLDER = /^[0-9a-f]{2}$/;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What put and check write before it has its name. */
const TEMPORARY = /^(?:check|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9a-f]{12}$/;
/** A temporary file older than this belongs to no upload that is still running. */
const LEFTOVER_AGE_MS = 24 * 60 * 60 * 1000;

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder with its parents, each of them safe on disk. */
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

/** Whoever can write beside an archive could have made a link of the folder: nothing but our own goes. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!TEMPORARY.test(name)) continue;
    const file = path.join(folder, name);
    // Another process on this folder may have renamed or removed it meanwhile.
    const found = await lstat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await rm(file, { force: true });
  }
}

/** A store in `<dataDir>/blobs`. Rejects when the folder cannot be made. */
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
    // A missing file must be a rejection here, not an error event that nobody may be listening for yet.
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
      // Folder by folder: all names at once could be millions.
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
