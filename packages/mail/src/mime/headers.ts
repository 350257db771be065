// Reads header blocks from bytes (RFC 5322 2.2): the position and content of each field.
// stored-headers.ts and compose.ts write headers; edit.ts changes them.

import { byteString, concatBytes } from '../bytes.ts';
import { rankCharsets } from '../charsets/detect.ts';
import { type ReadDate, readDate } from '../dates/read-date.ts';
import { boundGuesses, decodeText, findCleanUtf8 } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';

/**
 * One field: `value` is unfolded but not decoded; `start` and `end` are its byte range, line ends
 * included.
 */
export type HeaderField = {
  key: string; // lowercase
  name: string; // as written
  value: string;
  start: number;
  end: number;
};

/**
 * A header block: `end` is the end of the last field, `bodyStart` is after the blank line (or the
 * same).
 */
export type HeaderBlock = {
  fields: HeaderField[];
  end: number;
  bodyStart: number;
};

const LF = 0x0a;
const CR = 0x0d;

// Maximum size of a header block, in bytes; a longer one is an attempt to exhaust the reader, and
// the excess is skipped unread.
const BLOCK_MAX_BYTES = 2_097_152;

/**
 * Reads the fields from `start`; stops at the first empty line or at `limit`. Never fails. Omits
 * fields that begin or end beyond `maxBytes`. `bodyLabel` is the character set of the body if `raw`
 * does not name it (any more).
 */
export function readHeaderBlock(
  raw: Uint8Array,
  start = 0,
  limit = raw.length,
  maxBytes = BLOCK_MAX_BYTES,
  bodyLabel?: string | null,
): HeaderBlock {
  const places: Place[] = [];
  let fieldStart = -1;
  let position = start;
  const close = (end: number) => {
    if (fieldStart >= 0 && end - start <= maxBytes) places.push({ start: fieldStart, end });
    fieldStart = -1;
  };
  while (position < limit) {
    const found = raw.indexOf(LF, position);
    const lineEnd = found < 0 || found >= limit ? limit : found + 1;
    let textEnd = lineEnd;
    while (textEnd > position && (raw[textEnd - 1] === LF || raw[textEnd - 1] === CR)) textEnd--;
    if (textEnd === position) {
      close(position);
      return { fields: readFields(raw, places, bodyLabel), end: position, bodyStart: lineEnd };
    }
    const folded = raw[position] === 0x20 || raw[position] === 0x09;
    if (!folded || fieldStart < 0) {
      close(position);
      fieldStart = position;
    }
    position = lineEnd;
  }
  close(limit);
  return { fields: readFields(raw, places, bodyLabel), end: limit, bodyStart: limit };
}

type Place = {
  start: number;
  end: number;
};

function readFields(raw: Uint8Array, places: readonly Place[], bodyLabel?: string | null): HeaderField[] {
  const fields: HeaderField[] = [];
  const raws: { place: Place; at: number }[] = [];
  for (const place of places) {
    const text = findCleanUtf8(raw.subarray(place.start, place.end));
    // Text that is not UTF-8 is decoded once the character set of the rest of the message is known;
    // until then its position is kept.
    if (text === null) raws.push({ place, at: fields.length });
    const field = readField(text ?? byteString(raw.subarray(place.start, place.end)), place);
    if (field) fields.push(field);
    else if (text === null) raws.pop();
  }
  let labels: readonly (string | null | undefined)[] | null = null;
  const findLabels = () => {
    labels ??= [bodyLabel, findLabel(fields), findBodyLabel(raw)];
    return labels;
  };
  if (raws.length) {
    const guess = rankCharsets(concatBytes(raws.map(({ place }) => raw.subarray(place.start, place.end))))[0];
    const likely = [...findLabels(), guess];
    boundGuesses(() => {
      for (const { place, at } of raws) {
        const text = decodeText(raw.subarray(place.start, place.end), ...likely);
        fields[at] = readField(text, place) ?? (fields[at] as HeaderField);
      }
    });
  }
  return fields.map(field => withKnownWords(field, findLabels));
}

const CHARSET = /\bcharset\s*=\s*"?([^\s";]{2,40})/i;
const findLabel = (fields: readonly HeaderField[]): string | null =>
  CHARSET.exec(findHeader(fields, 'content-type')?.value ?? '')?.[1] ?? null;

const bodyLabels = new WeakMap<Uint8Array, string | null>();
const BODY_LABEL_MAX_BYTES = 65_536;

/**
 * Returns the character set that the first part of a message names, or null: raw text in the
 * headers uses the same set.
 */
export function findBodyLabel(raw: Uint8Array): string | null {
  const known = bodyLabels.get(raw);
  if (known !== undefined) return known;
  const label = CHARSET.exec(byteString(raw.subarray(0, BODY_LABEL_MAX_BYTES)))?.[1] ?? null;
  bodyLabels.set(raw, label);
  return label;
}

// Relays that wrap raw text in encoded words do not know its character set.
const UNKNOWN_WORDS = /=\?(?:unknown-8bit|x-unknown|unknown|default|8bit)(?=(?:\*[^?\s]*)?\?[qb]\?)/gi;

function withKnownWords(
  field: HeaderField,
  findLabels: () => readonly (string | null | undefined)[],
): HeaderField {
  if (!field.value.includes('=?') || field.value.search(UNKNOWN_WORDS) < 0) return field;
  const label = findLabels().find(name => name && !/^utf-?8$|[^\w.:-]/i.test(name));
  if (!label) return field;
  return { ...field, value: field.value.replace(UNKNOWN_WORDS, `=?${label}`) };
}

function readField(text: string, { start, end }: Place): HeaderField | null {
  // A byte order mark before the name: no mail server accepts this as From, so the reader must not
  // either.
  if (text.startsWith('\ufeff')) return null;
  const colon = text.indexOf(':');
  if (colon < 1) return null;
  // Only blanks may surround a name: trimming other Unicode spaces would turn a junk line into a
  // second From.
  const name = trimBlanks(text.slice(0, colon));
  const value = unfold(text.slice(colon + 1));
  return { key: name.toLowerCase(), name, value, start, end };
}

/** Returns unfolded header text: each line break and the blanks after it become one blank. */
export function unfold(text: string): string {
  return trimBlanks(text.replace(/[\r\n]+[ \t]*/g, ' '));
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09;

// A pattern such as /[ \t]+$/ would restart at every blank: minutes for a megabyte of blanks.
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Returns the fields of a message, in order; `bodyLabel` as in {@link readHeaderBlock}. */
export function readHeaders(raw: Uint8Array, bodyLabel?: string | null): HeaderField[] {
  return readHeaderBlock(raw, 0, raw.length, BLOCK_MAX_BYTES, bodyLabel).fields;
}

/**
 * Returns the first field of that name, or null. The first field wins everywhere in this package.
 */
export function findHeader(fields: readonly HeaderField[], key: string): HeaderField | null {
  return fields.find(field => field.key === key.toLowerCase()) ?? null;
}

/** Returns the value of the first field of that name with encoded words decoded, or null. */
export function findHeaderText(fields: readonly HeaderField[], key: string): string | null {
  const field = findHeader(fields, key);
  return field ? decodeWords(field.value) : null;
}

/**
 * Returns the unique Message-IDs of a Message-ID, In-Reply-To or References field, including angle
 * brackets.
 */
export function parseReferences(value: string): string[] {
  const ids = value.match(/<[^<>\s]{1,995}>/g) ?? [];
  return [...new Set(ids)];
}

/** Returns the date of a Date field as ISO 8601, or null when it is not a date. */
export function findIsoDate(value: string): string | null {
  return readDate(decodeWords(value))?.iso ?? null;
}

const RECEIVED_MAX = 50;

/**
 * Yields the times at which servers in transit received a message, as ISO 8601, the last server
 * first; skips invalid times.
 */
export function* receivedDates(fields: readonly HeaderField[]): Generator<string> {
  for (const { value } of fields.filter(({ key }) => key === 'received').slice(0, RECEIVED_MAX)) {
    const time = findIsoDate(value.slice(value.lastIndexOf(';') + 1));
    if (time) yield time;
  }
}

/**
 * Returns when a message was sent: its Date, or if that is unreadable, the time at which the last
 * server received it; null when no field names a time.
 */
export function findSentDate(fields: readonly HeaderField[]): ReadDate | null {
  const date = findHeader(fields, 'date');
  const found = date && readDate(decodeWords(date.value));
  if (found) return found;
  for (const iso of receivedDates(fields)) return { iso, hasZone: true };
  return null;
}
