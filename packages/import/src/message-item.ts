// Makes an item of one message that stood in a file of its own or among others: its state, its time, its lines.

import { findHeaderText, readHeaders } from '@keyfold/mail/mime/headers';
import { readAppleMail } from './apple-mail.ts';
import type { FolderPath, ImportItem, MailFlags } from './items.ts';
import { toMailLines, withLineEnds } from './line-ends.ts';
import { findArrival, isMailHeader, readMailState } from './mail-state.ts';
import { readOwnExport } from './own-export.ts';

export type FoundMessage = {
  key: string;
  folder: FolderPath;
  /** What a person finds it by when it cannot be read. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Whether it stood in an mbox file, whose programs write the state of a mail into its header. */
  isInMbox?: boolean;
  /** Whether `From ` at the beginning of a line is quoted, as in mbox files. */
  isQuoted?: boolean;
  /** When the file says that it arrived, should the message not tell. */
  storedAt?: Date | null;
  /** What the name of its file says of its state, before what the header says. */
  flags?: Partial<MailFlags>;
  labels?: readonly string[];
};

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

const withoutMark = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  BYTE_ORDER_MARK.every((code, index) => bytes[index] === code) ? bytes.subarray(3) : bytes;

const DAY_MS = 86_400_000;

/** A file of today may have been written by whoever exported or copied it. */
export const oldOf = (storedAt: Date | null | undefined): Date | null =>
  storedAt && storedAt.getTime() > DAY_MS && storedAt.getTime() < Date.now() - DAY_MS ? storedAt : null;

/** The item of a message. What has no header of a mail is broken. */
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
