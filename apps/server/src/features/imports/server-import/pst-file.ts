/**
 * A PST file that waits: encrypted under a key of its own from the first byte on, and read at any place, since a PST is read
 * all over. AES in counter mode gives any part without those before it; that a byte was changed is the reader's to bear, which
 * takes every file for hostile. Where it lies is adapters/import-files.ts'.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { ByteSource } from '@keyfold/import/byte-source';

const ALGORITHM = 'aes-256-ctr';
const BLOCK_BYTES = 16;
export const PST_KEY_BYTES = 32;

/** Descriptor under which the reading process finds the file: the first behind its channel. */
export const PST_DESCRIPTOR = 4;

/** The counter at a block of the file. The key is used for one file alone, so that it may begin at 0. */
function counterAt(block: number): Buffer {
  const counter = Buffer.alloc(BLOCK_BYTES);
  counter.writeBigUInt64BE(BigInt(block), BLOCK_BYTES - 8);
  return counter;
}

/** A stream as it is stored, of as many bytes. */
export async function* encryptPst(
  key: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const cipher = createCipheriv(ALGORITHM, key, counterAt(0));
  for await (const chunk of content) yield cipher.update(chunk);
}

/** Reads bytes of a file from a place on into a buffer; how many, 0 at its end. */
type ReadAt = (into: Buffer, start: number, length: number, place: number) => Promise<number>;

/** The bytes of a file that was stored so. */
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
