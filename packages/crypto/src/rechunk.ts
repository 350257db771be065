// Cuts a stream of pieces of any size into blocks of one size. Knows nothing of what the bytes are.

import type { Bytes } from './platform.ts';

/** Pieces of bytes in order, as a file, a socket or a response body gives them. */
export type ByteSource = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** One block; only the last may be shorter than the rest, or empty when the source is. */
export type Block = {
  readonly bytes: Bytes;
  readonly isLast: boolean;
};

/** Yields full blocks of `blockBytes` and then the rest as the last one. A source that ends exactly at a border
 * gives a full last block, never an empty one behind it. Each block is a fresh copy. */
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
