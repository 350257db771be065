/**
 * Spools an uploaded file part that arrives before the fields that say where it belongs
 * (docs/spec-map.md 7 names the file first). The bytes go to a temporary file, encrypted under a
 * key that exists only in memory, and are deleted once read or discarded.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const ALGORITHM = 'aes-256-ctr';
/** An older file belongs to no running request: a crash left it behind, and its key is lost. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;

const folderOf = (dataDir: string): string => path.join(dataDir, 'tmp');

/**
 * Removes files that a crash left behind; files that other processes are writing to this folder are
 * kept.
 */
export async function removeLeftoverSpools(dataDir: string): Promise<void> {
  const names = await readdir(folderOf(dataDir)).catch(() => []);
  for (const name of names.filter(one => one.startsWith('upload-'))) {
    const file = path.join(folderOf(dataDir), name);
    const found = await stat(file).catch(() => null);
    if (found !== null && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await unlink(file).catch(() => {});
  }
}

/**
 * Removes leftovers now and every hour, for a server that runs for months; returns a function that
 * stops this.
 */
export async function keepSpoolsTidy(
  dataDir: string,
  everyMs: number = LEFTOVER_AGE_MS,
): Promise<() => void> {
  await removeLeftoverSpools(dataDir);
  const timer = setInterval(() => void removeLeftoverSpools(dataDir), everyMs).unref();
  return () => clearInterval(timer);
}

export type Spool = {
  readonly content: AsyncIterable<Uint8Array>;
  readonly remove: () => Promise<void>;
};

/**
 * Writes a stream to a temporary file. Rejects, and leaves nothing behind, when the stream breaks
 * or the disk is full.
 */
export async function spool(content: AsyncIterable<Uint8Array>, dataDir: string): Promise<Spool> {
  const dir = folderOf(dataDir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, `upload-${randomBytes(12).toString('hex')}`);
  const [key, iv] = [randomBytes(32), randomBytes(16)];
  const remove = () => unlink(file).catch(() => {});
  try {
    await pipeline(content, createCipheriv(ALGORITHM, key, iv), createWriteStream(file, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    content: (async function* () {
      const source = createReadStream(file);
      try {
        yield* source.pipe(createDecipheriv(ALGORITHM, key, iv));
      } finally {
        source.destroy();
      }
    })(),
    remove,
  };
}
