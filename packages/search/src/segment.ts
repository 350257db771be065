// A sealed-to-be piece of the index, format KFI1: which terms which mails have. Immutable; opened from its bytes, of which
// only the table of mails and the index of the dictionary are read at once.
//
// KFI1, then numbers as in bytes.ts: version 2; uid (16 bytes); count of sources and their uids (segments that went into
// this one); mails; terms; bytes of mails, dictionary, index, postings; then these four parts.
// Mails, newest first: kind (0: id as 16 bytes, else length + 1 and UTF-8), seconds before the mail above (the first:
// since 1970), flags. Dictionary, sorted by UTF-8 bytes: shared bytes, own bytes, text, count of mails, bytes of postings;
// each BLOCK_TERMS-th term shares nothing. Index, per block: bytes of dictionary and of postings before it, as differences.
// Postings: (mails since the one before) * 2, + 1 when a mask of fields follows; without one the term is in the body only.
import { compareBytes, createInput, type Input, readBytes, readNumber, readText } from './bytes.ts';
import { BLOCK_TERMS, JOINED_MAX_CHARACTERS } from './limits.ts';
import { createTailFinder, type TailFinder } from './tails.ts';

export const MAGIC = 'KFI1';
export const VERSION = 2;
export const UID_BYTES = 16;

/** Fields of a mail, as bits of a mask. */
export const FIELDS = { from: 1, to: 2, subject: 4, body: 8, filename: 16 } as const;
export const ALL_FIELDS = 31;

/** What never changes about a mail, as bits. */
export const DOC_FLAGS = { attachment: 1, sent: 2, draft: 4 } as const;

/** A mail of the index. */
export type Doc = {
  readonly id: string;
  /** When it arrived, seconds since 1970. */
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

/** A term has at most JOINED_MAX_CHARACTERS units of three bytes. */
export const TERM_MAX_BYTES = 3 * JOINED_MAX_CHARACTERS;

/** Where a walk through the dictionary stands: one object for the whole walk, because there are terms by the million. */
export type TermCursor = {
  /** The term's UTF-8 in the first `length` bytes. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Mails that have it. */
  readonly docs: number;
  readonly postingsAt: number;
  readonly postingsEnd: number;
  /** Goes on to the next term, the first at the first call; false at the end. */
  readonly next: () => boolean;
};

/** An open segment. */
export type Segment = {
  readonly uid: string;
  readonly sources: readonly string[];
  readonly sizeBytes: number;
  readonly docCount: number;
  readonly termCount: number;
  readonly idOf: (doc: number) => string;
  /** Arrivals in seconds, newest first. */
  readonly times: Float64Array;
  readonly flags: Uint8Array;
  /** The terms from the first one that is not before `from`, UTF-8, in order. */
  readonly terms: (from: Uint8Array) => TermCursor;
  /** The terms that end with one of these words, more or less, as compounds do. */
  readonly tails: TailFinder;
  /** Writes a term's mails to `into`, which has room for all of the segment, as mail * 32 + mask; returns how many. */
  readonly readPostings: (term: Pick<TermCursor, 'postingsAt' | 'postingsEnd'>, into: Uint32Array) => number;
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, byte => HEX[byte]).join('');

/** Opens a segment. Throws RangeError for anything that is none. */
export function openSegment(bytes: Uint8Array): Segment {
  const head = createInput(bytes);
  if (readText(head, MAGIC.length) !== MAGIC || readNumber(head) !== VERSION)
    throw new RangeError('Not a segment of this version');
  const uid = hexOf(readBytes(head, UID_BYTES));
  const sourceCount = readNumber(head);
  if (sourceCount * UID_BYTES > bytes.length) throw new RangeError('Damaged segment');
  const sources = Array.from({ length: sourceCount }, () => hexOf(readBytes(head, UID_BYTES)));
  const [docCount, termCount] = [readNumber(head), readNumber(head)];
  const sizes = [readNumber(head), readNumber(head), readNumber(head), readNumber(head)] as const;
  const tableAt = head.at;
  const dictionaryAt = tableAt + sizes[0];
  const indexAt = dictionaryAt + sizes[1];
  const postingsAt = indexAt + sizes[2];
  const end = postingsAt + sizes[3];
  if (end !== bytes.length || docCount > sizes[0] || termCount > sizes[1] + 1)
    throw new RangeError('Damaged segment');

  const idsAt = new Uint32Array(docCount);
  const times = new Float64Array(docCount);
  const flags = new Uint8Array(docCount);
  const table = createInput(bytes, tableAt, dictionaryAt);
  for (let doc = 0; doc < docCount; doc++) {
    idsAt[doc] = table.at;
    const kind = readNumber(table);
    readBytes(table, kind === 0 ? UUID_BYTES : kind - 1);
    const value = readNumber(table);
    times[doc] = doc === 0 ? value : (times[doc - 1] as number) - value;
    flags[doc] = readNumber(table);
  }
  const idOf = (doc: number): string => readId(createInput(bytes, idsAt[doc], dictionaryAt));
  const blockCount = Math.ceil(termCount / BLOCK_TERMS);
  const blocks = new Uint32Array(blockCount);
  const blockPostings = new Uint32Array(blockCount);
  const index = createInput(bytes, indexAt, postingsAt);
  let [atDictionary, atPostings] = [dictionaryAt, postingsAt];
  for (let block = 0; block < blockCount; block++) {
    atDictionary += readNumber(index);
    atPostings += readNumber(index);
    blocks[block] = atDictionary;
    blockPostings[block] = atPostings;
  }

  /** The last block whose first term is not after `term`. */
  const blockOf = (term: Uint8Array): number => {
    let [low, high] = [0, blockCount - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const input = createInput(bytes, blocks[middle], indexAt);
      readNumber(input);
      const first = readBytes(input, readNumber(input));
      if (compareBytes(first, first.length, term, term.length) <= 0) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const terms = (from: Uint8Array): TermCursor => {
    const block = termCount === 0 ? 0 : blockOf(from);
    let place = block * BLOCK_TERMS;
    const input = createInput(bytes, blocks[block] ?? indexAt, indexAt);
    let isThere = from.length === 0;
    const step = (): boolean => {
      if (place++ >= termCount) return false;
      const shared = readNumber(input);
      const own = readNumber(input);
      if (shared > cursor.length || shared + own > TERM_MAX_BYTES || input.at + own > indexAt)
        throw new RangeError('Damaged segment');
      for (let at = shared; at < shared + own; at++) cursor.bytes[at] = bytes[input.at++] as number;
      cursor.length = shared + own;
      cursor.docs = readNumber(input);
      cursor.postingsAt = cursor.postingsEnd;
      cursor.postingsEnd += readNumber(input);
      if (cursor.postingsEnd > end) throw new RangeError('Damaged segment');
      return true;
    };
    const next = (): boolean => {
      while (step()) {
        isThere ||= compareBytes(cursor.bytes, cursor.length, from, from.length) >= 0;
        if (isThere) return true;
      }
      return false;
    };
    const cursor = {
      bytes: new Uint8Array(TERM_MAX_BYTES),
      length: 0,
      docs: 0,
      postingsAt: 0,
      postingsEnd: blockPostings[block] ?? postingsAt,
      next,
    };
    return cursor;
  };
  // Reads the numbers by itself: a word of one letter has postings by the million.
  const readPostings: Segment['readPostings'] = ({ postingsAt: start, postingsEnd }, into) => {
    let at = start;
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
  };
  return {
    uid,
    sources,
    sizeBytes: bytes.length,
    docCount,
    termCount,
    idOf,
    times,
    flags,
    terms,
    tails: createTailFinder({
      bytes,
      start: dictionaryAt,
      end: indexAt,
      termCount,
      blocks,
      blockPostings,
      termMaxBytes: TERM_MAX_BYTES,
    }),
    readPostings,
  };
}
