/**
 * A PST file on the server's disk: encrypted under a key of its own from the first byte on, and read at any place, since a
 * PST is read all over. AES in counter mode gives any part without those before it; that a byte was changed is the reader's
 * to bear, which takes every file for hostile.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@keyfold/contract/errors';
import type { ByteSource } from '@keyfold/import/byte-source';

const ALGORITHM = 'aes-256-ctr';
const BLOCK_BYTES = 16;
export const PST_KEY_BYTES = 32;

const folderOf = (dataDir: string): string => path.join(dataDir, 'imports');

export const pstPath = (dataDir: string, id: string): string => path.join(folderOf(dataDir), `${id}.pst`);

/** The counter at a block of the file. The key is used for one file alone, so that it may begin at 0. */
const counterAt = (block: number): Buffer => {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.writeBigUInt64BE(BigInt(block), BLOCK_BYTES - 8);
  return counter;
};

/** Refuses when fewer bytes than this are free where the files lie. Throws storage_full. */
export const requireDiskSpace = async (dataDir: string, reserveBytes: number): Promise<void> => {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folderOf(dataDir));
  if (bavail * bsize < reserveBytes) throw new AppError('storage_full');
};

/** Writes a stream to an encrypted file; gives its size in bytes. Rejects, and leaves nothing, when it breaks off. */
export const writePstFile = async (
  dataDir: string,
  id: string,
  key: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): Promise<number> => {
  await mkdir(folderOf(dataDir), { recursive: true, mode: 0o700 });
  let sizeBytes = 0;
  const counted = async function* () {
    for await (const chunk of content) {
      sizeBytes += chunk.length;
      yield chunk;
    }
  };
  try {
    // Success is told when the bytes are on the disk, not on their way there.
    const file = createWriteStream(pstPath(dataDir, id), { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(counted(), createCipheriv(ALGORITHM, key, counterAt(0)), file);
  } catch (error) {
    await removePstFile(dataDir, id);
    throw error;
  }
  return sizeBytes;
};

/** Removes a file; one that is gone is no failure. */
export const removePstFile = async (dataDir: string, id: string): Promise<void> => {
  await unlink(pstPath(dataDir, id)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
};

/** The bytes of an encrypted file. */
export const sourceOfPstFile = (file: FileHandle, sizeBytes: number, key: Uint8Array): ByteSource => ({
  size: sizeBytes,
  read: async (offset, length) => {
    const skipped = offset % BLOCK_BYTES;
    const start = offset - skipped;
    const wanted = Math.max(0, Math.min(sizeBytes, offset + length) - start);
    const hidden = Buffer.alloc(wanted);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await file.read(hidden, filled, wanted - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    const shown = createDecipheriv(ALGORITHM, key, counterAt(start / BLOCK_BYTES)).update(
      hidden.subarray(0, filled),
    );
    return Uint8Array.from(shown.subarray(skipped));
  },
});

/** Ids of the files that lie here and have not been written to for so long. */
export const listPstFiles = async (dataDir: string, quietMs: number): Promise<string[]> => {
  const names = (await readdir(folderOf(dataDir)).catch(() => [])).filter(name => name.endsWith('.pst'));
  const found: string[] = [];
  for (const name of names) {
    const state = await stat(path.join(folderOf(dataDir), name)).catch(() => null);
    if (state !== null && Date.now() - state.mtimeMs > quietMs) found.push(name.slice(0, -'.pst'.length));
  }
  return found;
};
