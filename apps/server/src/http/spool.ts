/**
 * Keeps the bytes of an uploaded part that arrives before the fields that say where it belongs (Spec §7 names the file
 * first). They lie in a temporary file under a key that exists in memory alone, and are gone when read or given up.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const ALGORITHM = 'aes-256-ctr';

export type Spool = {
  readonly content: AsyncIterable<Uint8Array>;
  readonly remove: () => Promise<void>;
};

/** Writes a stream aside. Rejects, and leaves nothing, when it breaks or the disk is full. */
export const spool = async (content: AsyncIterable<Uint8Array>, dataDir: string): Promise<Spool> => {
  const dir = path.join(dataDir, 'tmp');
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
};
