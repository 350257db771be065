// Reads a file that contains one message (.eml), as mail programs save it.

import type { ByteSource } from '../byte-source.ts';
import type { FolderPath, MailFileReader } from '../items.ts';
import { MESSAGE_MAX_BYTES } from '../limits.ts';
import { toMessageItem } from '../message-item.ts';

const KEY = '0';

/**
 * Creates a reader of one message. `name` is the file's name, and `storedAt` its modification time,
 * used when the message has no date.
 */
export function createEmlReader(
  source: ByteSource,
  name: string,
  folder: FolderPath = [],
  storedAt: Date | null = null,
): MailFileReader {
  return {
    outline: () => Promise.resolve([{ folder: [...folder], itemCount: 1 }]),
    async *items({ isWanted, isDone, signal } = {}) {
      if (isWanted?.(folder) === false || isDone?.(KEY)) return;
      signal?.throwIfAborted();
      if (source.size > MESSAGE_MAX_BYTES) {
        yield { kind: 'broken', key: KEY, folder, name, reason: 'too_large', canBegin: true };
        return;
      }
      const item = toMessageItem({
        key: KEY,
        folder,
        name,
        bytes: await source.read(0, source.size),
        storedAt,
      });
      yield { ...item, canBegin: true };
    },
  };
}
