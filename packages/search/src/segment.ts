// A piece of the index before it is sealed, format KFI1: it maps terms to messages. Immutable.
// Opening one reads only the message table and the dictionary index.
//
// KFI1, then numbers as in bytes.ts: version 2; uid (16 bytes); count of sources and their uids
// (segments that were merged into this one); messages; terms; bytes of messages, dictionary, index,
// postings; then these four parts. Messages, newest first: kind (0: id as 16 bytes, else length + 1
// and UTF-8), seconds before the message above (the first: since 1970), flags. Dictionary, sorted
// by UTF-8 bytes: shared bytes, own bytes, text, count of messages, bytes of postings; each
// BLOCK_TERMS-th term shares nothing. Index, per block: bytes of dictionary and of postings before
// it, as differences. Postings: (messages since the previous one) * 2, + 1 when a mask of fields
// follows; without a mask the term is in the body only.
import { createInput, type Input, readBytes, readNumber, readText } from './bytes.ts';
import { openTerms, readDictionary, type TermCursor } from './dictionary.ts';
import { createTailFinder, type TailFinder } from './tails.ts';

export const MAGIC = 'KFI1';
export const VERSION = 2;
export const UID_BYTES = 16;

/** Fields of a message, as bits of a mask. */
export const FIELDS = { from: 1, to: 2, subject: 4, body: 8, filename: 16 } as const;
export const ALL_FIELDS = 31;

/** Immutable properties of a message, as bits. */
export const DOC_FLAGS = { attachment: 1, sent: 2, draft: 4 } as const;

/** An indexed message. */
export type Doc = {
  readonly id: string;
  /** Arrival time, seconds since 1970. */
  readonly at: number;
  /** Bits of {@link DOC_FLAGS}. */
  readonly flags: number;
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const UUID_BYTES = 16;

function readId(input: Input): string {
  const kind = readNumber(input);
  if (kind > 0) return readText(input, kind - 1);
  let hex = '';
  for (const byte of readBytes(input, UUID_BYTES)) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An open segment. */
export type Segment = {
  readonly uid: string;
  readonly sources: readonly string[];
  readonly sizeBytes: number;
  readonly docCount: number;
  readonly termCount: number;
  readonly idOf: (doc: number) => string;
  /** Arrival times in seconds, newest first. */
  readonly times: Float64Array;
  readonly flags: Uint8Array;
  /** The terms in order, starting with the first one that is not before `from` (UTF-8). */
  readonly terms: (from: Uint8Array) => TermCursor;
  /** Finds terms that end with one of the given words, as compounds do. */
  readonly tails: TailFinder;
  /**
   * Writes a term's mails as mail * 32 + mask and returns their number. `into` must have docCount
   * elements.
   */
  readonly readPostings: (term: Pick<TermCursor, 'postingsAt' | 'postingsEnd'>, into: Uint32Array) => number;
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, byte => HEX[byte]).join('');

/** What precedes the four parts of a segment, and where each part begins. */
function readHeader(bytes: Uint8Array) {
  const input = createInput(bytes);
  if (readText(input, MAGIC.length) !== MAGIC || readNumber(input) !== VERSION)
    throw new RangeError('Not a segment of this version');
  const uid = hexOf(readBytes(input, UID_BYTES));
  const sourceCount = readNumber(input);
  if (sourceCount * UID_BYTES > bytes.length) throw new RangeError('Damaged segment');
  const sources = Array.from({ length: sourceCount }, () => hexOf(readBytes(input, UID_BYTES)));
  const [docCount, termCount] = [readNumber(input), readNumber(input)];
  const sizes = [readNumber(input), readNumber(input), readNumber(input), readNumber(input)] as const;
  const tableAt = input.at;
  const dictionaryAt = tableAt + sizes[0];
  const indexAt = dictionaryAt + sizes[1];
  const postingsAt = indexAt + sizes[2];
  const end = postingsAt + sizes[3];
  if (end !== bytes.length || docCount > sizes[0] || termCount > sizes[1] + 1)
    throw new RangeError('Damaged segment');
  return { uid, sources, docCount, termCount, tableAt, dictionaryAt, indexAt, postingsAt, end };
}

/** The table of mails by column. Ids are decoded on demand, so only their offsets are kept. */
function readDocTable(bytes: Uint8Array, docCount: number, start: number, end: number) {
  const idsAt = new Uint32Array(docCount);
  const times = new Float64Array(docCount);
  const flags = new Uint8Array(docCount);
  const table = createInput(bytes, start, end);
  for (let doc = 0; doc < docCount; doc++) {
    idsAt[doc] = table.at;
    const kind = readNumber(table);
    readBytes(table, kind === 0 ? UUID_BYTES : kind - 1);
    const value = readNumber(table);
    times[doc] = doc === 0 ? value : (times[doc - 1] as number) - value;
    flags[doc] = readNumber(table);
  }
  return { idsAt, times, flags };
}

/** Reads numbers inline: a term of one letter can have millions of postings. */
function readPostings(
  bytes: Uint8Array,
  docCount: number,
  { postingsAt, postingsEnd }: Pick<TermCursor, 'postingsAt' | 'postingsEnd'>,
  into: Uint32Array,
): number {
  let at = postingsAt;
  let doc = -1;
  let count = 0;
  while (at < postingsEnd) {
    let value = bytes[at++] as number;
    if (value >= 0x80) {
      value &= 0x7f;
      for (let shift = 7; shift < 32; shift += 7) {
        const byte = bytes[at++] as number;
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
    doc += (value >>> 1) + 1;
    if (doc >= docCount) throw new RangeError('Damaged segment');
    into[count++] = doc * 32 + (value & 1 ? (bytes[at++] as number) & ALL_FIELDS : FIELDS.body);
  }
  return count;
}

/** Opens a segment. Throws RangeError for bytes that are not a valid segment. */
export function openSegment(bytes: Uint8Array): Segment {
  const { uid, sources, docCount, termCount, tableAt, ...layout } = readHeader(bytes);
  const { dictionaryAt } = layout;
  const { idsAt, times, flags } = readDocTable(bytes, docCount, tableAt, dictionaryAt);
  const dictionary = readDictionary(bytes, termCount, layout);
  return {
    uid,
    sources,
    sizeBytes: bytes.length,
    docCount,
    termCount,
    idOf: doc => readId(createInput(bytes, idsAt[doc], dictionaryAt)),
    times,
    flags,
    terms: from => openTerms(dictionary, from),
    tails: createTailFinder(dictionary),
    readPostings: (term, into) => readPostings(bytes, docCount, term, into),
  };
}
