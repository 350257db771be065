// Reads a file sequentially in slices, from the start or from an offset.

import type { ByteSource } from './byte-source.ts';
import { ImportError } from './errors.ts';
import { SLICE_BYTES } from './limits.ts';

/**
 * Yields the bytes of a source in order, from `start` on. Throws `too_short` when the source ends
 * before its stated size.
 */
export async function* slicesOf(
  source: ByteSource,
  { start = 0, sliceBytes = SLICE_BYTES }: { readonly start?: number; readonly sliceBytes?: number } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let offset = start; offset < source.size; ) {
    const slice = await source.read(offset, Math.min(sliceBytes, source.size - offset));
    if (slice.length === 0) throw new ImportError('too_short');
    offset += slice.length;
    yield slice;
  }
}
