// Reads mbox files of any size: one folder, messages one after the other. The variants and their quoting are split.ts'.

import type { ByteSource } from '../byte-source.ts';
import type { FolderPath, ImportItem, MailFileReader, ReadOptions } from '../items.ts';
import { LINE_MAX_BYTES } from '../limits.ts';
import { toMessageItem } from '../message-item.ts';
import { slicesOf } from '../slices.ts';
import { beginsMessage, findEnvelopeDate } from './separator.ts';
import { splitMbox } from './split.ts';

/**
 * The items of an mbox that comes in pieces, the first of which is `start` bytes behind its beginning; `keyStart` goes before
 * each key, which is the offset of the message.
 */
export async function* mboxItems(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  folder: FolderPath,
  { isDone = () => false, signal }: ReadOptions,
  { keyStart = '', start = 0 }: { readonly keyStart?: string; readonly start?: number } = {},
): AsyncGenerator<ImportItem> {
  const keyOf = (offset: number): string => `${keyStart}${offset}`;
  const options = { isWanted: (offset: number) => !isDone(keyOf(offset)), startOffset: start };
  for await (const { offset, envelope, bytes, isCounted, canBegin } of splitMbox(chunks, options)) {
    signal?.throwIfAborted();
    const key = keyOf(offset);
    const begin = canBegin ? { canBegin } : {};
    if (bytes === null) {
      yield { kind: 'broken', key, folder, name: envelope, reason: 'too_large', ...begin };
      continue;
    }
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

/** Where a message begins by the key of an earlier reading; 0 where none begins there. */
async function findStart(source: ByteSource, key: string): Promise<number> {
  const offset = /^\d{1,15}$/.test(key) ? Number(key) : 0;
  if (offset === 0 || offset >= source.size) return 0;
  const bytes = await source.read(offset, Math.min(2 * LINE_MAX_BYTES, source.size - offset));
  return beginsMessage(bytes) ? offset : 0;
}

/** A reader of one mbox file; `folder` is what its messages are said to lie in. */
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
