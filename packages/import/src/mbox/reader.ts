// Reads mbox files of any size: one folder with consecutive messages. split.ts handles the variants
// and their quoting.

import { readHeaders } from '@keyfold/mail/mime/headers';
import type { ByteSource } from '../byte-source.ts';
import { concatBytes } from '../bytes.ts';
import type { FolderPath, ImportItem, MailFileReader, ReadOptions } from '../items.ts';
import { LINE_MAX_BYTES } from '../limits.ts';
import { hasOnlyReturns, withLineEnds, withLineFeeds } from '../line-ends.ts';
import { isFolderData } from '../mail-state.ts';
import { toMessageItem } from '../message-item.ts';
import { slicesOf } from '../slices.ts';
import { beginsMessage, findEnvelopeDate } from './separator.ts';
import { splitMbox } from './split.ts';

type Chunks = AsyncIterable<Uint8Array<ArrayBuffer>>;

/** Bytes examined to find out how lines end. */
const LOOKED_AT_BYTES = 64 * 1024;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

async function* onwards(
  head: Uint8Array<ArrayBuffer>,
  rest: AsyncIterator<Uint8Array<ArrayBuffer>>,
  isOld: boolean,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    for (let chunk: Uint8Array<ArrayBuffer> | undefined = head; chunk !== undefined; ) {
      yield isOld ? withLineFeeds(chunk) : chunk;
      const next = await rest.next();
      chunk = next.done === true ? undefined : next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/**
 * Returns the bytes without a byte order mark, the length of that mark, and LF in place of CR if
 * lines end with CR alone, so that every offset stays the same.
 */
async function plainly(chunks: Chunks, isFromStart: boolean): Promise<{ plain: Chunks; mark: number }> {
  const rest = chunks[Symbol.asyncIterator]();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; size < LOOKED_AT_BYTES; ) {
    const next = await rest.next();
    if (next.done === true) break;
    pieces.push(next.value);
    size += next.value.length;
  }
  const whole = concatBytes(pieces);
  const mark =
    isFromStart && BYTE_ORDER_MARK.every((code, at) => whole[at] === code) ? BYTE_ORDER_MARK.length : 0;
  const head = whole.subarray(mark);
  return { plain: onwards(head, rest, hasOnlyReturns(head)), mark };
}

/**
 * Yields the items of an mbox that arrives in chunks, the first of which is at offset `start`. Each
 * key is `keyStart` followed by the offset of the message.
 */
export async function* mboxItems(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  folder: FolderPath,
  { isDone = () => false, signal }: ReadOptions,
  { keyStart = '', start = 0 }: { readonly keyStart?: string; readonly start?: number } = {},
): AsyncGenerator<ImportItem> {
  const keyOf = (offset: number): string => `${keyStart}${offset}`;
  const { plain, mark } = await plainly(chunks, start === 0);
  const options = { isWanted: (offset: number) => !isDone(keyOf(offset)), startOffset: start + mark };
  for await (const { offset, envelope, bytes, isCounted, canBegin } of splitMbox(plain, options)) {
    signal?.throwIfAborted();
    const key = keyOf(offset);
    const begin = canBegin ? { canBegin } : {};
    if (bytes === null) {
      yield { kind: 'broken', key, folder, name: envelope, reason: 'too_large', ...begin };
      continue;
    }
    if (isFolderData(readHeaders(bytes))) continue;
    const item = toMessageItem({
      key,
      folder,
      name: envelope,
      bytes,
      isInMbox: true,
      isQuoted: !isCounted,
      storedAt: findEnvelopeDate(envelope),
    });
    yield { ...item, ...begin };
  }
}

/**
 * Returns the offset of the message with the key of an earlier reading; 0 when no message begins
 * there.
 */
async function findStart(source: ByteSource, key: string): Promise<number> {
  const offset = /^\d{1,15}$/.test(key) ? Number(key) : 0;
  if (offset === 0 || offset >= source.size) return 0;
  const bytes = await source.read(offset, Math.min(2 * LINE_MAX_BYTES, source.size - offset));
  return beginsMessage(withLineEnds(bytes)) ? offset : 0;
}

/** Creates a reader of one mbox file; `folder` is the folder reported for its messages. */
export function createMboxReader(source: ByteSource, folder: FolderPath = []): MailFileReader {
  return {
    outline: () => Promise.resolve([{ folder: [...folder], itemCount: null }]),
    async *items(options = {}) {
      if (options.isWanted?.(folder) === false) return;
      const start = options.from === undefined ? 0 : await findStart(source, options.from);
      yield* mboxItems(slicesOf(source, { start }), folder, options, { start });
    },
  };
}
