// Imports Outlook's .msg files: like .eml, one message per file.

import type { ByteSource } from '../byte-source.ts';
import { ImportError } from '../errors.ts';
import type { ImportItem, MailFileReader } from '../items.ts';
import { reasonOf } from '../mapi/broken.ts';
import { messageClassOf, subjectOf } from '../mapi/item.ts';
import { mailItemsOf } from '../mapi/mail-items.ts';
import { type FoundMessage, oldOf, toMessageItem } from '../message-item.ts';
import { isCompoundFile, MSG_MAX_BYTES, readMsg } from './reader.ts';

/** Outlook items that are not mail and that Keyfold does not import. */
const NO_MAIL = /^IPM\.(?:CONTACT|DISTLIST|TASK|STICKYNOTE|ACTIVITY)\b/;

/**
 * Returns the items of one file: the message and its unreadable files. Unreadable content becomes a
 * broken item.
 */
export async function msgItems(found: FoundMessage): Promise<ImportItem[]> {
  const { key, folder, bytes } = found;
  // Some programs give other message formats this extension.
  if (!isCompoundFile(bytes)) return [toMessageItem(found)];
  let { name } = found;
  try {
    const item = readMsg(bytes);
    name = (await subjectOf(item)) || name;
    if (NO_MAIL.test(await messageClassOf(item))) throw new ImportError('unsupported');
    const items = await mailItemsOf(item, { key, folder }, false);
    return items.map(one =>
      one.kind === 'mail' ? { ...one, receivedAt: one.receivedAt ?? oldOf(found.storedAt) } : one,
    );
  } catch (error) {
    const isOther = error instanceof ImportError && error.code === 'not_this_format';
    const reason = isOther ? 'unsupported' : reasonOf(error);
    if (reason === null) throw error;
    return [{ kind: 'broken', key, folder, name, reason }];
  }
}

const KEY = '0';

/** Creates a reader of one file. Throws `not_this_format` for other programs' compound files. */
export async function createMsgReader(
  source: ByteSource,
  name: string,
  storedAt: Date | null = null,
): Promise<MailFileReader> {
  const isTooLarge = source.size > MSG_MAX_BYTES;
  const read = () => source.read(0, source.size);
  if (!isTooLarge) {
    try {
      readMsg(await read());
    } catch (error) {
      if (error instanceof ImportError && error.code === 'not_this_format') throw error;
    }
  }
  return {
    outline: () => Promise.resolve([{ folder: [], itemCount: 1 }]),
    async *items({ isWanted, isDone, signal } = {}) {
      if (isWanted?.([]) === false || isDone?.(KEY)) return;
      signal?.throwIfAborted();
      const [first, ...others]: ImportItem[] = isTooLarge
        ? [{ kind: 'broken', key: KEY, folder: [], name, reason: 'too_large' }]
        : await msgItems({ key: KEY, folder: [], name, bytes: await read(), storedAt });
      if (first !== undefined) yield { ...first, canBegin: true };
      yield* others;
    },
  };
}
