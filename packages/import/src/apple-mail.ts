// Reads messages in Apple Mail's format (.emlx): a line with the byte count, the message, then a
// property list with the flags as one number and the date received. The attachments of a
// .partial.emlx are stored elsewhere; its text is in the file.

import type { MailFlags } from './items.ts';

export type AppleMail = {
  bytes: Uint8Array<ArrayBuffer>;
  flags: Partial<MailFlags>;
  isJunk: boolean;
  isGone: boolean;
  receivedAt: Date | null;
};

/** Bit positions in the number under `flags`. */
const BITS = { read: 0, deleted: 1, flagged: 4, draft: 6, junk: 24 } as const;
const COUNT_LINE = /^[ \t]*(\d{1,12})[ \t]*(?:\r\n|\n|\r)/;
const COUNT_LINE_MAX = 40;
const LIST_MAX_BYTES = 64 * 1024;
const LIST_START = /(?:<\?xml[^>]{0,100}\?>\s*)?<!DOCTYPE plist|<\?xml[^>]{0,100}\?>\s*<plist/;

function latin(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 8_192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return text;
}

/** Returns the offset of the message after its count line; 0 where there is no such line. */
export const findAppleStart = (bytes: Uint8Array): number =>
  COUNT_LINE.exec(latin(bytes.subarray(0, COUNT_LINE_MAX)))?.[0].length ?? 0;

/**
 * Returns the offset of the property list: at the given count if a list is there, else the last
 * position that looks like one.
 */
function findListStart(bytes: Uint8Array, counted: number): number {
  if (
    counted <= bytes.length &&
    /^\s*<(?:\?xml|!DOCTYPE plist|plist)/.test(latin(bytes.subarray(counted, counted + 200)))
  )
    return counted;
  const from = Math.max(0, bytes.length - LIST_MAX_BYTES);
  const tail = latin(bytes.subarray(from));
  const last = Math.max(tail.lastIndexOf('<!DOCTYPE plist'), tail.lastIndexOf('<plist'));
  if (last < 0 || !tail.trimEnd().endsWith('</plist>')) return bytes.length;
  let start = tail.lastIndexOf('<!DOCTYPE plist', last);
  if (start < 0) start = last;
  const head = tail.lastIndexOf('<?xml', start);
  if (head >= 0 && LIST_START.test(tail.slice(head, start + 20))) start = head;
  return from + start;
}

/** Parses such a file; returns null for other kinds of file. */
export function readAppleMail(bytes: Uint8Array<ArrayBuffer>): AppleMail | null {
  const start = findAppleStart(bytes);
  if (start === 0) return null;
  const count = Number(COUNT_LINE.exec(latin(bytes.subarray(0, COUNT_LINE_MAX)))?.[1]);
  const end = Math.max(start, findListStart(bytes, start + count));
  const list = latin(bytes.subarray(end, end + LIST_MAX_BYTES));
  const numberOf = (key: string): string | undefined =>
    new RegExp(`<key>${key}</key>\\s*<(?:integer|real)>\\s*(\\d{1,19})`).exec(list)?.[1];
  const bits = BigInt(numberOf('flags') ?? 1);
  const has = (bit: number): boolean => ((bits >> BigInt(bit)) & 1n) === 1n;
  const seconds = Number(numberOf('date-received') ?? Number.NaN);
  return {
    bytes: bytes.subarray(start, end),
    flags: {
      isRead: has(BITS.read),
      isStarred: has(BITS.flagged),
      ...(has(BITS.draft) ? { isDraft: true } : {}),
    },
    isJunk: has(BITS.junk),
    isGone: has(BITS.deleted),
    receivedAt: seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : null,
  };
}
