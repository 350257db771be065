// Decompresses files of an archive as byte streams, within an allowance: a few compressed kilobytes
// can expand to terabytes.

import { type FileEntry, Reader } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { ByteSource } from '../byte-source.ts';
import { concatBytes } from '../bytes.ts';
import { ImportError } from '../errors.ts';
import {
  ARCHIVE_LIST_MAX_BYTES,
  UNPACKED_FREE_BYTES,
  UNPACKED_RATIO_MAX,
  UNPACKED_TOTAL_FREE_BYTES,
} from '../limits.ts';

/** Adapts a source to the archive library's reader. */
export class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;
  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }
  override async readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    // The library requests only small pieces and the list of files in one read.
    if (length > ARCHIVE_LIST_MAX_BYTES) throw new ImportError('too_large');
    return this.#source.read(index, length);
  }
}

/** Bytes that the files of an archive may still decompress to in one reading, in total. */
export type Allowance = {
  bytesLeft: number;
};

/** Returns the allowance of an archive of this size. */
export const newAllowance = (archiveBytes: number): Allowance => ({
  bytesLeft: UNPACKED_TOTAL_FREE_BYTES + archiveBytes * UNPACKED_RATIO_MAX,
});

/** Returns the maximum uncompressed size of a file, in bytes. */
const unpackedMax = ({ compressedSize }: FileEntry): number =>
  UNPACKED_FREE_BYTES + compressedSize * UNPACKED_RATIO_MAX;

/**
 * Yields the uncompressed bytes of a file and charges them to the allowance. Throws `too_large`
 * when they, or those of all files, far exceed what the compressed size explains, and `damaged`
 * when decompression fails or the checksum does not match.
 */
export async function* unpack(
  entry: FileEntry,
  allowance: Allowance,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (allowance.bytesLeft <= 0) throw new ImportError('too_large');
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const stop = new AbortController();
  let failure: unknown = null;
  const done = entry
    .getData(writable, { signal: stop.signal, checkCrc32: true, useWebWorkers: false })
    .catch((error: unknown) => {
      failure = error;
      return writable.abort(error).catch(() => undefined);
    });
  const reader = readable.getReader();
  const maxBytes = unpackedMax(entry);
  let total = 0;
  try {
    for (;;) {
      const { done: isEnd, value } = await reader.read();
      if (isEnd || value === undefined) break;
      total += value.length;
      allowance.bytesLeft -= value.length;
      if (total > maxBytes || allowance.bytesLeft <= 0) throw new ImportError('too_large');
      yield value;
    }
    await done;
    if (failure !== null) throw failure;
  } catch (error) {
    throw error instanceof ImportError ? error : new ImportError('damaged', error);
  } finally {
    stop.abort();
    await reader.cancel().catch(() => undefined);
    await done;
  }
}

/** Returns the whole of a file up to a maximum size. Throws as unpack does. */
export async function unpackWhole(
  entry: FileEntry,
  maxBytes: number,
  allowance: Allowance,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let total = 0;
  for await (const chunk of unpack(entry, allowance)) {
    total += chunk.length;
    if (total > maxBytes) throw new ImportError('too_large');
    chunks.push(chunk);
  }
  return concatBytes(chunks);
}
