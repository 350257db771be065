// Reads and removes the fields that Keyfold's own export adds before a message (docs/export.md).
// They describe the message, and without them it is byte for byte the original.

import { type HeaderField, readHeaders } from '@keyfold/mail/mime/headers';
import type { KeptPlace, MailFlags } from './items.ts';
import { toMailLines, withoutQuoting } from './line-ends.ts';

export type OwnExport = {
  raw: Uint8Array<ArrayBuffer>;
  receivedAt: Date | null;
  flags: MailFlags;
  /** Its tags. */
  labels: string[];
  place: KeptPlace;
};

/** The fields in the order in which they are written; optional ones may be missing. */
const ORDER = [
  'x-keyfold-export',
  'x-keyfold-received',
  'x-keyfold-flags',
  'x-keyfold-tags',
  'x-gmail-labels',
  'status',
  'x-status',
  'x-keywords',
  'x-mozilla-status',
];
/** Maximum number of bytes that an mbox file has between a message and the next separator. */
const LINE_END_MAX = 2;
const FIRST = 'x-keyfold-export:';
/** The end of the block. */
const LAST = /\nX-Mozilla-Status: [0-9a-f]{4}\r?\n$/;
const LAST_BYTES = 32;

function decoded(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}

const wordsOf = (field: HeaderField | undefined): string[] =>
  (field?.value ?? '').split(/\s+/).filter(word => word !== '');

/**
 * Cuts the message to its size: an mbox file ends each message with a line ending that the message
 * may not have had.
 */
function cutToSize(raw: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const rest = raw.length - size;
  const isLineEnd = raw.subarray(size).every(code => code === 0x0a || code === 0x0d);
  return rest > 0 && rest <= LINE_END_MAX && isLineEnd ? raw.subarray(0, size) : raw;
}

const textOf = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

/**
 * Returns the message after the block by its size; null when the file was rewritten since and the
 * size no longer fits.
 */
function findExact(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> | null {
  for (let rest = 0; rest <= LINE_END_MAX; rest++) {
    const start = bytes.length - rest - size;
    const isEnd = bytes.subarray(bytes.length - rest).every(code => code === 0x0a || code === 0x0d);
    if (start > 0 && isEnd && LAST.test(textOf(bytes.subarray(Math.max(0, start - LAST_BYTES), start))))
      return bytes.subarray(start, start + size);
  }
  return null;
}

/**
 * Returns the message and what Keyfold's export recorded about it; null when it does not come from
 * such an export. `isQuoted` says that the message was in an mbox file.
 */
export function readOwnExport(written: Uint8Array<ArrayBuffer>, isQuoted = false): OwnExport | null {
  if (textOf(written.subarray(0, FIRST.length)).toLowerCase() !== FIRST) return null;
  const bytes = toMailLines(written, isQuoted);
  const fields = readHeaders(bytes);
  if (fields[0]?.key !== 'x-keyfold-export' || fields[0].start !== 0) return null;
  const size = Number(/\bsize=(\d{1,12})\b/.exec(fields[0].value)?.[1] ?? Number.NaN);
  const exact = Number.isSafeInteger(size)
    ? findExact(isQuoted ? withoutQuoting(written) : written, size)
    : null;
  const found = new Map<string, HeaderField>();
  let end = 0;
  let next = 0;
  for (const field of fields) {
    const at = ORDER.indexOf(field.key, next);
    // The message itself may begin with such a field.
    const isInMessage = bytes.length - field.start <= size + LINE_END_MAX;
    if (at < 0 || field.start !== end || isInMessage) break;
    found.set(field.key, field);
    end = field.end;
    next = at + 1;
  }
  const states = new Set(wordsOf(found.get('x-keyfold-flags')));
  const received = Date.parse(found.get('x-keyfold-received')?.value ?? '');
  const raw = bytes.subarray(end);
  return {
    raw: exact ?? (Number.isSafeInteger(size) ? cutToSize(raw, size) : raw),
    receivedAt: Number.isFinite(received) ? new Date(received) : null,
    flags: {
      isRead: states.has('read'),
      isStarred: states.has('starred'),
      isDraft: states.has('draft'),
      isSent: states.has('sent'),
    },
    labels: wordsOf(found.get('x-keyfold-tags')).flatMap(word => decoded(word) ?? []),
    place: {
      isArchived: states.has('archived'),
      isDeleted: states.has('deleted'),
      isFlagged: states.has('flagged'),
    },
  };
}
