// A file from front to back, in slices.

import type { ByteSource } from './byte-source.ts';
import { ImportError } from './errors.ts';
import { SLICE_BYTES } from './limits.ts';

/** The bytes of a source in order. Throws `too_short` when it ends before its own size. */
export async function* slicesOf(
  source: ByteSource,
  sliceBytes = SLICE_BYTES,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let offset = 0; offset < source.size; ) {
    const slice = await source.read(offset, Math.min(sliceBytes, source.size - offset));
    if (slice.length === 0) throw new ImportError('too_short');
    offset += slice.length;
    yield slice;
  }
}
