// Reads the messages of an mbox file in an archive, from the start or from a given message. A
// stored file is read from that message on; a compressed one is decompressed up to it. In both
// cases nothing before it is parsed.

import type { FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import type { ByteSource } from '../byte-source.ts';
import { concatBytes } from '../bytes.ts';
import type { FolderPath, ImportItem, ReadOptions } from '../items.ts';
import { LINE_MAX_BYTES } from '../limits.ts';
import { withLineEnds } from '../line-ends.ts';
import { mboxItems } from '../mbox/reader.ts';
import { beginsMessage } from '../mbox/separator.ts';
import { slicesOf } from '../slices.ts';
import { type Allowance, unpack } from './unpack.ts';

type Chunks = AsyncGenerator<Uint8Array<ArrayBuffer>>;

/**
 * Local file header (APPNOTE 4.3.7): its size without name and extra field, and the offsets of
 * their lengths.
 */
const LOCAL = { size: 30, magic: 0x04034b50, methodAt: 8, nameLengthAt: 26, extraLengthAt: 28 } as const;
const STORED = 0;

export type Boxed = {
  source: ByteSource;
  entry: FileEntry;
  folder: FolderPath;
  /** Prefix of each message's key, before the offset. */
  keyStart: string;
  allowance: Allowance;
};

/**
 * Returns the part of the source that is a stored file; null when the file is compressed or its
 * header is not where it should be.
 */
async function findStored({ source, entry }: Boxed): Promise<ByteSource | null> {
  const { offset, compressionMethod, compressedSize, uncompressedSize } = entry;
  if (compressionMethod !== STORED || compressedSize !== uncompressedSize) return null;
  const header = await source.read(offset, LOCAL.size);
  if (header.length < LOCAL.size) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (view.getUint32(0, true) !== LOCAL.magic || view.getUint16(LOCAL.methodAt, true) !== STORED) return null;
  const start =
    offset +
    LOCAL.size +
    view.getUint16(LOCAL.nameLengthAt, true) +
    view.getUint16(LOCAL.extraLengthAt, true);
  if (start + uncompressedSize > source.size) return null;
  return {
    size: uncompressedSize,
    read: (at, length) => source.read(start + at, Math.max(0, Math.min(length, uncompressedSize - at))),
  };
}

/** Yields the uncompressed bytes after the first `count`. */
async function* withoutFirst(chunks: Chunks, count: number, signal: AbortSignal | undefined): Chunks {
  let left = count;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    if (left < chunk.length) yield left === 0 ? chunk : chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}

/**
 * Returns the same bytes when they begin with a message; otherwise closes them and returns null.
 */
async function findMessages(chunks: Chunks): Promise<Chunks | null> {
  const looked: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let isEnd = false;
  while (!isEnd && size < 2 * LINE_MAX_BYTES) {
    const { done, value } = await chunks.next();
    isEnd = done === true;
    if (value === undefined) continue;
    looked.push(value);
    size += value.length;
  }
  const head = concatBytes(looked);
  if (size === 0 || !beginsMessage(withLineEnds(head))) {
    await chunks.return(undefined);
    return null;
  }
  return (async function* () {
    yield* looked;
    if (!isEnd) yield* chunks;
  })();
}

/** Returns the bytes from `at` on when a message begins there. */
async function findFrom(boxed: Boxed, at: number, signal: AbortSignal | undefined): Promise<Chunks | null> {
  if (at === 0 || at >= boxed.entry.uncompressedSize) return null;
  const stored = await findStored(boxed);
  return findMessages(
    stored === null
      ? withoutFirst(unpack(boxed.entry, boxed.allowance), at, signal)
      : slicesOf(stored, { start: at }),
  );
}

/**
 * Yields the items. Starts at the beginning when `from` is not the key of a message of this file.
 * Throws as unpack does.
 */
export async function* boxedItems(boxed: Boxed, options: ReadOptions): AsyncGenerator<ImportItem> {
  const { entry, folder, keyStart, allowance } = boxed;
  const { from = '', signal } = options;
  const offset = from.startsWith(keyStart) ? from.slice(keyStart.length) : '';
  const start = /^\d{1,15}$/.test(offset) ? Number(offset) : 0;
  const found = await findFrom(boxed, start, signal);
  yield* found === null
    ? mboxItems(unpack(entry, allowance), folder, options, { keyStart })
    : mboxItems(found, folder, options, { keyStart, start });
}
