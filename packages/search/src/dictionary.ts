// Reads a segment's dictionary: finds the block of a term by binary search over the block index,
// then walks term by term. The format is described in segment.ts.
import { compareBytes, createInput, readBytes, readNumber } from './bytes.ts';
import { BLOCK_TERMS, JOINED_MAX_CHARACTERS } from './limits.ts';

/** A term has at most JOINED_MAX_CHARACTERS units of three bytes. */
export const TERM_MAX_BYTES = 3 * JOINED_MAX_CHARACTERS;

/** The dictionary of a segment and the index of its blocks. */
export type Dictionary = {
  /** The bytes of the whole segment; the dictionary is between `start` and `end`. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly termCount: number;
  /** Offset of each block of terms, and of the postings of its first term. */
  readonly blocks: Uint32Array;
  readonly blockPostings: Uint32Array;
  /** End of all postings. */
  readonly postingsEnd: number;
};

/**
 * A position in the dictionary. One object serves the whole walk, because a dictionary can have
 * millions of terms.
 */
export type TermCursor = {
  /** The term's UTF-8 in the first `length` bytes. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Number of mails that contain it. */
  readonly docs: number;
  readonly postingsAt: number;
  readonly postingsEnd: number;
  /** Moves to the next term, on the first call to the first term; false at the end. */
  readonly next: () => boolean;
};

/** Byte ranges of a segment's last three parts, which follow one another. */
type Layout = {
  readonly dictionaryAt: number;
  readonly indexAt: number;
  readonly postingsAt: number;
  readonly end: number;
};

export function readDictionary(bytes: Uint8Array, termCount: number, layout: Layout): Dictionary {
  const { dictionaryAt, indexAt, postingsAt, end } = layout;
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
  return { bytes, start: dictionaryAt, end: indexAt, termCount, blocks, blockPostings, postingsEnd: end };
}

/** The last block whose first term is not after `term`. */
function findBlock({ bytes, end, blocks }: Dictionary, term: Uint8Array): number {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const input = createInput(bytes, blocks[middle], end);
    readNumber(input);
    const first = readBytes(input, readNumber(input));
    if (compareBytes(first, first.length, term, term.length) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The terms in order, starting with the first one that is not before `from` (UTF-8). */
export function openTerms(dictionary: Dictionary, from: Uint8Array): TermCursor {
  const { bytes, end, termCount, blocks, blockPostings, postingsEnd } = dictionary;
  const block = termCount === 0 ? 0 : findBlock(dictionary, from);
  let place = block * BLOCK_TERMS;
  const input = createInput(bytes, blocks[block] ?? end, end);
  let isFound = from.length === 0;
  const step = (): boolean => {
    if (place++ >= termCount) return false;
    const shared = readNumber(input);
    const own = readNumber(input);
    if (shared > cursor.length || shared + own > TERM_MAX_BYTES || input.at + own > end)
      throw new RangeError('Damaged segment');
    for (let at = shared; at < shared + own; at++) cursor.bytes[at] = bytes[input.at++] as number;
    cursor.length = shared + own;
    cursor.docs = readNumber(input);
    cursor.postingsAt = cursor.postingsEnd;
    cursor.postingsEnd += readNumber(input);
    if (cursor.postingsEnd > postingsEnd) throw new RangeError('Damaged segment');
    return true;
  };
  const next = (): boolean => {
    while (step()) {
      isFound ||= compareBytes(cursor.bytes, cursor.length, from, from.length) >= 0;
      if (isFound) return true;
    }
    return false;
  };
  const cursor = {
    bytes: new Uint8Array(TERM_MAX_BYTES),
    length: 0,
    docs: 0,
    postingsAt: 0,
    postingsEnd: blockPostings[block] ?? postingsEnd,
    next,
  };
  return cursor;
}
