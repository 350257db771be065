// Reads mbox files of any size: one folder, messages one after the other. The variants and their quoting are split.ts'.

import type { ByteSource } from '../byte-source.ts';
import type { FolderPath, ImportItem, MailFileReader, ReadOptions } from '../items.ts';
import { toMessageItem } from '../message-item.ts';
import { slicesOf } from '../slices.ts';
import { findEnvelopeDate } from './separator.ts';
import { splitMbox } from './split.ts';

/** The items of an mbox that comes in pieces; `keyStart` goes before each key, which is the offset of the message. */
export async function* mboxItems(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  folder: FolderPath,
  { isDone = () => false, signal }: ReadOptions,
  keyStart = '',
): AsyncGenerator<ImportItem> {
  const keyOf = (offset: number): string => `${keyStart}${offset}`;
  for await (const { offset, envelope, bytes, isCounted } of splitMbox(chunks, {
    isWanted: offset => !isDone(keyOf(offset)),
  })) {
    signal?.throwIfAborted();
    const key = keyOf(offset);
    if (bytes === null) {
      yield { kind: 'broken', key, folder, name: envelope, reason: 'too_large' };
      continue;
    }
    yield toMessageItem({
      key,
      folder,
      name: envelope,
      bytes,
      isInMbox: true,
      isQuoted: !isCounted,
      storedAt: findEnvelopeDate(envelope),
    });
  }
}

/** A reader of one mbox file; `folder` is what its messages are said to lie in. */
export function createMboxReader(source: ByteSource, folder: FolderPath = []): MailFileReader {
  return {
    outline: () => Promise.resolve([{ folder: [...folder], itemCount: null }]),
    async *items(options = {}) {
      if (options.isWanted?.(folder) === false) return;
      yield* mboxItems(slicesOf(source), folder, options);
    },
  };
}
