// Builds an item from one message, stored in a file of its own or among others: its state, its
// time, its line endings.

import { findHeaderText, readHeaders } from '@keyfold/mail/mime/headers';
import { readAppleMail } from './apple-mail.ts';
import type { FolderPath, ImportItem, MailFlags } from './items.ts';
import { toMailLines, withLineEnds } from './line-ends.ts';
import { findArrival, isMailHeader, readMailState } from './mail-state.ts';
import { readOwnExport } from './own-export.ts';

export type FoundMessage = {
  key: string;
  folder: FolderPath;
  /** What the user can find it by when it cannot be read. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether it was in an mbox file, whose programs write a message's state into its header. */
  isInMbox?: boolean;
  /** Whether `From ` at the start of a line is quoted, as in mbox files. */
  isQuoted?: boolean;
  /** The arrival time according to the file, used when the message states none. */
  storedAt?: Date | null;
  /** State according to the file name; takes precedence over the header. */
  flags?: Partial<MailFlags>;
  labels?: readonly string[];
};

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const withoutMark = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  BYTE_ORDER_MARK.every((code, index) => bytes[index] === code) ? bytes.subarray(3) : bytes;

const DAY_MS = 86_400_000;

/** Ignores recent file times: they may date from the export or a copy. */
export const oldOf = (storedAt: Date | null | undefined): Date | null =>
  storedAt && storedAt.getTime() > DAY_MS && storedAt.getTime() < Date.now() - DAY_MS ? storedAt : null;

/** Returns the item of a message. Content without a message header is broken. */
export function toMessageItem(found: FoundMessage): ImportItem {
  const { key, folder, name } = found;
  const bytes = withoutMark(found.bytes);
  const own = readOwnExport(bytes, found.isQuoted);
  if (own !== null) return { kind: 'mail', key, folder, ...own };
  const apple = found.isInMbox ? null : readAppleMail(bytes);
  const message = apple?.bytes ?? bytes;
  const raw = toMailLines(withLineEnds(message), found.isQuoted);
  const fields = readHeaders(raw);
  if (!isMailHeader(fields))
    return { kind: 'broken', key, folder, name, reason: 'damaged', raw: found.bytes };
  const state = readMailState(fields, found.isInMbox ?? false);
  if (state.isGone || apple?.isGone)
    return { kind: 'removed', key, folder, name: findHeaderText(fields, 'subject') ?? name, raw };
  return {
    kind: 'mail',
    key,
    folder,
    raw,
    receivedAt: findArrival(fields) ?? apple?.receivedAt ?? oldOf(found.storedAt),
    flags: { ...state.flags, ...apple?.flags, ...found.flags },
    labels: [...state.labels, ...(apple?.isJunk ? ['Spam'] : []), ...(found.labels ?? [])],
    ...(state.tags.length === 0 ? {} : { tags: state.tags }),
  };
}
