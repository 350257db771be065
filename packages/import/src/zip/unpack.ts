// Files of an archive as streams of bytes, no further than is allowed: a few packed kilobytes can unpack to terabytes.

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

/** A source as the archive library reads one. */
export class SourceReader extends Reader<ByteSource> {
  readonly #source: ByteSource;
  constructor(source: ByteSource) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }
  override async readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    // Nothing is asked for at once but small pieces and the list of files.
    if (length > ARCHIVE_LIST_MAX_BYTES) throw new ImportError('too_large');
    return this.#source.read(index, length);
  }
}

/** Bytes that the files of an archive may still come to in one reading, together. */
export type Allowance = {
  bytesLeft: number;
};

/** What an archive of so many bytes is granted. */
export const newAllowance = (archiveBytes: number): Allowance => ({
  bytesLeft: UNPACKED_TOTAL_FREE_BYTES + archiveBytes * UNPACKED_RATIO_MAX,
});

/** Bytes to which a file may unpack. */
const unpackedMax = ({ compressedSize }: FileEntry): number =>
  UNPACKED_FREE_BYTES + compressedSize * UNPACKED_RATIO_MAX;

/**
 * The unpacked bytes of a file, which the allowance is charged with. Throws `too_large` where they, or those of all files, are
 * far more than the packed ones explain, and `damaged` for what does not unpack, or not to what its checksum says.
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

/** The whole of a file of at most so many bytes. Throws as unpack does. */
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
