// Cuts a stream of pieces of any size into blocks of one size, independent of their content.

import type { Bytes } from './platform.ts';

/** Pieces of bytes in order, as from a file, a socket or a response body. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** One block; only the last may be shorter than the others, or empty when the source is. */
export type Block = {
  readonly bytes: Bytes;
  readonly isLast: boolean;
};

/**
 * Yields full blocks of `blockBytes`, then the remainder as the last block. A source that ends
 * exactly at a block boundary ends with a full block, never with an additional empty one. Each
 * block is a fresh copy.
 */
export async function* rechunk(source: ByteSource, blockBytes: number): AsyncGenerator<Block, void> {
  let bytes = new Uint8Array(blockBytes);
  let filled = 0;
  for await (const piece of source) {
    let offset = 0;
    while (offset < piece.length) {
      if (filled === blockBytes) {
        yield { bytes, isLast: false };
        bytes = new Uint8Array(blockBytes);
        filled = 0;
      }
      const taken = Math.min(blockBytes - filled, piece.length - offset);
      bytes.set(piece.subarray(offset, offset + taken), filled);
      filled += taken;
      offset += taken;
    }
  }
  yield { bytes: bytes.subarray(0, filled), isLast: true };
}
