// Finds dictionary terms that end with a word, as compounds do. On first use, all possible
// compounds are written out one after the other, then scanned with skips as long as the pattern. An
// index of word endings would be as large as the word index itself.
import { encodeText } from './bytes.ts';
import { type Dictionary, TERM_MAX_BYTES } from './dictionary.ts';
import { BLOCK_TERMS } from './limits.ts';
import type { Tail } from './spellings.ts';

/** Shorter terms cannot hold the shortest tail and the required text before it. */
const COMPOUND_MIN_BYTES = 8;
/** Separator between words; occurs in none. */
const BETWEEN = 0;

/** The postings range of a term. */
export type FoundTerm = { readonly postingsAt: number; readonly postingsEnd: number };

export type TailFinder = {
  readonly find: (tails: readonly Tail[]) => readonly FoundTerm[];
  /** Does the work that the first lookup would wait for; returns false if it was already done. */
  readonly prepare: () => boolean;
};

/** The possible compounds of a dictionary, and the end offset of each block's words. */
type Words = { readonly bytes: Uint8Array; readonly blockEnds: Uint32Array };

/**
 * Bytes per character before and after the pattern; all letters of one script have the same size.
 */
const unitBytes = (pattern: Uint8Array): number => ((pattern[0] as number) < 0x80 ? 1 : 3);

/** Reports whether a term is a single word of sufficient length, without signs between parts. */
function isCompound(bytes: Uint8Array, length: number): boolean {
  if (length < COMPOUND_MIN_BYTES) return false;
  for (let at = 0; at < length; at++) if ((bytes[at] as number) < 0x61) return false;
  return true;
}

type Visit = (term: Uint8Array, length: number, postingsAt: number, postingsEnd: number) => boolean;

/**
 * Visits terms from a block on until `visit` returns false. Decodes the numbers inline because
 * there can be millions of terms.
 */
function eachTermFrom(dictionary: Dictionary, block: number, visit: Visit): void {
  const { bytes, start, end, termCount, blocks, blockPostings } = dictionary;
  const term = new Uint8Array(TERM_MAX_BYTES);
  let at = blocks[block] ?? start;
  let postingsAt = blockPostings[block] ?? 0;
  let length = 0;
  const number = (): number => {
    let value = bytes[at++] as number;
    if (value < 0x80) return value;
    value &= 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      const byte = bytes[at++] as number;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  for (let index = block * BLOCK_TERMS; index < termCount; index++) {
    const shared = number();
    const own = number();
    if (shared > length || shared + own > TERM_MAX_BYTES || at + own > end)
      throw new RangeError('Damaged segment');
    length = shared + own;
    for (let to = shared; to < length; to++) term[to] = bytes[at++] as number;
    number();
    const postingsEnd = postingsAt + number();
    if (!visit(term, length, postingsAt, postingsEnd)) return;
    postingsAt = postingsEnd;
  }
}

/** Writes the words out, with one separator byte before the first and after each. */
function wordsOf(dictionary: Dictionary): Words {
  let bytes = new Uint8Array(1024 + (dictionary.end - dictionary.start));
  const blockEnds = new Uint32Array(dictionary.blocks.length);
  let size = 1;
  let index = 0;
  eachTermFrom(dictionary, 0, (term, length) => {
    if (isCompound(term, length)) {
      if (size + length >= bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      for (let at = 0; at < length; at++) bytes[size++] = term[at] as number;
      size++;
    }
    blockEnds[Math.floor(index++ / BLOCK_TERMS)] = size;
    return true;
  });
  return { bytes: bytes.slice(0, size), blockEnds };
}

/** Calls `take` for each occurrence of a pattern, skipping as far as the text allows (Horspool). */
function eachPlace(bytes: Uint8Array, pattern: Uint8Array, take: (place: number) => void): void {
  const last = pattern.length - 1;
  const leaps = new Uint32Array(256).fill(pattern.length);
  for (let at = 0; at < last; at++) leaps[pattern[at] as number] = last - at;
  const lastByte = pattern[last] as number;
  let end = last;
  while (end < bytes.length) {
    const byte = bytes[end] as number;
    if (byte === lastByte) {
      let at = 0;
      while (at < last && bytes[end - last + at] === pattern[at]) at++;
      if (at === last) take(end - last);
    }
    end += leaps[byte] as number;
  }
}

/**
 * Reports whether a word has at least `head` bytes before the match and at most `rest` bytes after
 * it.
 */
function isTail(bytes: Uint8Array, start: number, end: number, head: number, rest: number): boolean {
  for (let at = start - 1; at >= start - head; at--) if (bytes[at] === BETWEEN) return false;
  for (let at = end; at <= end + rest; at++) if (bytes[at] === BETWEEN) return true;
  return false;
}

/** Returns the block of the word at an offset. */
function blockAt(blockEnds: Uint32Array, place: number): number {
  let [low, high] = [0, blockEnds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blockEnds[middle] as number) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the terms at these offsets, which must be ascending. */
function termsAt(dictionary: Dictionary, { blockEnds }: Words, places: readonly number[]): FoundTerm[] {
  const found: FoundTerm[] = [];
  let next = 0;
  while (next < places.length) {
    const block = blockAt(blockEnds, places[next] as number);
    const blockEnd = blockEnds[block] as number;
    let size = block === 0 ? 1 : (blockEnds[block - 1] as number);
    eachTermFrom(dictionary, block, (term, length, postingsAt, postingsEnd) => {
      if (!isCompound(term, length)) return true;
      size += length + 1;
      if ((places[next] as number) < size) found.push({ postingsAt, postingsEnd });
      while (next < places.length && (places[next] as number) < size) next++;
      return next < places.length && (places[next] as number) < blockEnd;
    });
  }
  return found;
}

/** Creates a tail finder for a dictionary. */
export function createTailFinder(dictionary: Dictionary): TailFinder {
  let words: Words | null = null;
  const prepare = (): boolean => {
    if (words !== null) return false;
    words = wordsOf(dictionary);
    return true;
  };
  const find: TailFinder['find'] = tails => {
    if (tails.length === 0) return [];
    words ??= wordsOf(dictionary);
    const { bytes } = words;
    const places = new Set<number>();
    for (const { text, headMin, restMax } of tails) {
      const pattern = encodeText(text);
      // No term contains a longer pattern.
      if (pattern.length > TERM_MAX_BYTES) continue;
      const unit = unitBytes(pattern);
      eachPlace(bytes, pattern, place => {
        if (isTail(bytes, place, place + pattern.length, headMin * unit, restMax * unit)) places.add(place);
      });
    }
    return termsAt(
      dictionary,
      words,
      [...places].sort((a, b) => a - b),
    );
  };
  return { find, prepare };
}
