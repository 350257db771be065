// Reading header blocks out of bytes (RFC 5322 2.2): where each field lies and what it says. Writing is
// stored-headers.ts and compose.ts; changing a message is edit.ts.

import { decodeUnlabelled } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';

/** One field: `value` is unfolded but not decoded; `start` and `end` are its byte range, line ends included. */
export interface HeaderField {
  key: string; // lowercase
  name: string; // as written
  value: string;
  start: number;
  end: number;
}

/** A header block: `end` is where the last field ends, `bodyStart` is past the blank line (or the same). */
export interface HeaderBlock {
  fields: HeaderField[];
  end: number;
  bodyStart: number;
}

const LF = 0x0a;
const CR = 0x0d;

// A block longer than this, in bytes, is made to exhaust the reader: what lies beyond is skipped unread.
const BLOCK_MAX_BYTES = 2_097_152;

/**
 * Reads the fields from `start`; stops at the first empty line or at `limit`. Never fails. Fields that begin or end
 * beyond `maxBytes` are left out.
 */
export function readHeaderBlock(
  raw: Uint8Array,
  start = 0,
  limit = raw.length,
  maxBytes = BLOCK_MAX_BYTES,
): HeaderBlock {
  const fields: HeaderField[] = [];
  let fieldStart = -1;
  let position = start;
  const close = (end: number) => {
    const field = fieldStart < 0 || end - start > maxBytes ? null : readField(raw, fieldStart, end);
    if (field) fields.push(field);
    fieldStart = -1;
  };
  while (position < limit) {
    const found = raw.indexOf(LF, position);
    const lineEnd = found < 0 || found >= limit ? limit : found + 1;
    let textEnd = lineEnd;
    while (textEnd > position && (raw[textEnd - 1] === LF || raw[textEnd - 1] === CR)) textEnd--;
    if (textEnd === position) {
      close(position);
      return { fields, end: position, bodyStart: lineEnd };
    }
    const folded = raw[position] === 0x20 || raw[position] === 0x09;
    if (!folded || fieldStart < 0) {
      close(position);
      fieldStart = position;
    }
    position = lineEnd;
  }
  close(limit);
  return { fields, end: limit, bodyStart: limit };
}

function readField(raw: Uint8Array, start: number, end: number): HeaderField | null {
  // Decoding would take a byte order mark off the name, and make a From of what no mail server takes for one.
  if (raw[start] === 0xef && raw[start + 1] === 0xbb && raw[start + 2] === 0xbf) return null;
  const text = decodeUnlabelled(raw.subarray(start, end));
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  // Only blanks may surround a name: stripping other Unicode spaces would turn a junk line into a second From.
  const name = trimBlanks(text.slice(0, colon));
  const value = unfold(text.slice(colon + 1));
  return { key: name.toLowerCase(), name, value, start, end };
}

/** Header text with its folding undone: each line break and the blanks after it become one blank. */
export function unfold(text: string): string {
  return trimBlanks(text.replace(/[\r\n]+[ \t]*/g, ' '));
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

// A pattern such as /[ \t]+$/ would try anew at every blank: minutes for a field of a megabyte of them.
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** The fields of a message, in order. */
export function readHeaders(raw: Uint8Array): HeaderField[] {
  return readHeaderBlock(raw).fields;
}

/** The first field of that name, or null. The first wins everywhere in this room. */
export function findHeader(fields: readonly HeaderField[], key: string): HeaderField | null {
  return fields.find(field => field.key === key.toLowerCase()) ?? null;
}

/** What the first field of that name says, encoded words decoded, or null. */
export function findHeaderText(fields: readonly HeaderField[], key: string): string | null {
  const field = findHeader(fields, key);
  return field ? decodeWords(field.value) : null;
}

/** Message-IDs of a Message-ID, In-Reply-To or References field, angle brackets included, without repeats. */
export function parseReferences(value: string): string[] {
  const ids = value.match(/<[^<>\s]{1,995}>/g) ?? [];
  return [...new Set(ids)];
}

/** The date of a Date field as ISO 8601, or null when it is no date. */
export function findIsoDate(value: string): string | null {
  const time = Date.parse(value.replace(/\([^()]*\)/g, ' ').trim());
  return Number.isFinite(time) && Math.abs(time) < 8e15 ? new Date(time).toISOString() : null;
}
