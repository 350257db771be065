// A file from front to back, or from somewhere in it, in slices.

import type { ByteSource } from './byte-source.ts';
import { ImportError } from './errors.ts';
import { SLICE_BYTES } from './limits.ts';

/** The bytes of a source in order, from `start` on. Throws `too_short` when it ends before its own size. */
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
