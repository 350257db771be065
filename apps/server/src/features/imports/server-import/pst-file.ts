/**
 * A queued PST file: encrypted from the first byte under a separate key, with random access, since
 * reading a PST requires it. AES in counter mode decrypts any part independently. It does not
 * detect changed bytes; the reader treats every file as hostile. Storage is in
 * adapters/import-files.ts.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { ByteSource } from '@keyfold/import/byte-source';

const ALGORITHM = 'aes-256-ctr';
const BLOCK_BYTES = 16;
export const PST_KEY_BYTES = 32;

/** File descriptor of the file in the reading process: the first one after its IPC channel. */
export const PST_DESCRIPTOR = 4;

/**
 * Returns the counter of a block of the file. Each key encrypts only one file, so the counter may
 * start at 0.
 */
function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.writeBigUInt64BE(BigInt(block), BLOCK_BYTES - 8);
  return counter;
}

/** Encrypts a stream for storage; the number of bytes stays the same. */
export async function* encryptPst(
  key: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const cipher = createCipheriv(ALGORITHM, key, counterAt(0));
  for await (const chunk of content) yield cipher.update(chunk);
}

/**
 * Reads bytes from a position of a file into a buffer; returns their number, 0 at the end of the
 * file.
 */
type ReadAt = (into: Buffer, start: number, length: number, place: number) => Promise<number>;

/** Returns the decrypted content of a stored file as a byte source. */
export const sourceOfPst = (readAt: ReadAt, sizeBytes: number, key: Uint8Array): ByteSource => ({
  size: sizeBytes,
  read: async (offset, length) => {
    const skipped = offset % BLOCK_BYTES;
    const start = offset - skipped;
    const wanted = Math.max(0, Math.min(sizeBytes, offset + length) - start);
    const hidden = Buffer.alloc(wanted);
    let filled = 0;
    while (filled < wanted) {
      const bytesRead = await readAt(hidden, filled, wanted - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    const shown = createDecipheriv(ALGORITHM, key, counterAt(start / BLOCK_BYTES)).update(
      hidden.subarray(0, filled),
    );
    return Uint8Array.from(shown.subarray(skipped));
  },
});
