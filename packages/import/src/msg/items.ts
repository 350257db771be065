// Outlook's .msg files as an import takes them: each a message in a file of its own, as .eml are.

import type { ByteSource } from '../byte-source.ts';
import { ImportError } from '../errors.ts';
import type { ImportItem, MailFileReader } from '../items.ts';
import { reasonOf } from '../mapi/broken.ts';
import { messageClassOf, subjectOf } from '../mapi/item.ts';
import { mailItemsOf } from '../mapi/mail-items.ts';
import { type FoundMessage, oldOf, toMessageItem } from '../message-item.ts';
import { isCompoundFile, MSG_MAX_BYTES, readMsg } from './reader.ts';

/** Things of Outlook that are no mail and have no place here. */
const NO_MAIL = /^IPM\.(?:CONTACT|DISTLIST|TASK|STICKYNOTE|ACTIVITY)\b/;

/** The items of one file: the message, and those of its files that cannot be read. What cannot be read is named. */
export async function msgItems(found: FoundMessage): Promise<ImportItem[]> {
  const { key, folder, bytes } = found;
  // Some programs name messages of the other kind so.
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

/** A reader of one file. Throws `not_this_format` for files of other programs that are packed in the same way. */
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
