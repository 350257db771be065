// Finds the terms of a dictionary that end with a word, as compounds do. The words that can be compounds are written out one
// after the other when they are first asked for, and gone through by leaps as long as what is looked for: an index of the ends
// of words would be as large again as that of the words.
import { encodeText } from './bytes.ts';
import { BLOCK_TERMS } from './limits.ts';
import type { Tail } from './spellings.ts';

/** What is shorter has no room for the shortest tail and what must stand before it. */
const COMPOUND_MIN_BYTES = 8;
/** Stands between words, and in none. */
const BETWEEN = 0;

/** Where a dictionary and its postings stand in the bytes of a segment, and how long a term may be. */
export type Dictionary = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly termCount: number;
  /** Where each block of terms begins, and the postings of its first. */
  readonly blocks: Uint32Array;
  readonly blockPostings: Uint32Array;
  readonly termMaxBytes: number;
};

/** Where the postings of a term stand. */
export type FoundTerm = { readonly postingsAt: number; readonly postingsEnd: number };

export type TailFinder = {
  readonly find: (tails: readonly Tail[]) => readonly FoundTerm[];
  /** Does now what the first question would wait for; false when it was done. */
  readonly prepare: () => boolean;
};

/** The words of a dictionary that can be compounds, and where those of each block end. */
type Words = { readonly bytes: Uint8Array; readonly blockEnds: Uint32Array };

/** Bytes of what stands before and behind; all letters of one script have as many. */
const unitBytes = (pattern: Uint8Array): number => ((pattern[0] as number) < 0x80 ? 1 : 3);

/** Whether a term is one word of some length: it has no signs between parts. */
function isCompound(bytes: Uint8Array, length: number): boolean {
  if (length < COMPOUND_MIN_BYTES) return false;
  for (let at = 0; at < length; at++) if ((bytes[at] as number) < 0x61) return false;
  return true;
}

type Visit = (term: Uint8Array, length: number, postingsAt: number, postingsEnd: number) => boolean;

/** Goes through terms from a block on until `visit` says no. Reads the numbers by itself: there are terms by the million. */
function eachTermFrom(dictionary: Dictionary, block: number, visit: Visit): void {
  const { bytes, start, end, termCount, blocks, blockPostings, termMaxBytes } = dictionary;
  const term = new Uint8Array(termMaxBytes);
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
    if (shared > length || shared + own > termMaxBytes || at + own > end)
      throw new RangeError('Damaged segment');
    length = shared + own;
    for (let to = shared; to < length; to++) term[to] = bytes[at++] as number;
    number();
    const postingsEnd = postingsAt + number();
    if (!visit(term, length, postingsAt, postingsEnd)) return;
    postingsAt = postingsEnd;
  }
}

/** Writes the words out, one byte before the first and behind each. */
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

/** Calls `take` for each place of a pattern; a leap is as long as what is there allows (Horspool). */
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

/** Whether a word goes on for so many bytes before a place, and ends so many behind it at most. */
function isTail(bytes: Uint8Array, start: number, end: number, head: number, rest: number): boolean {
  for (let at = start - 1; at >= start - head; at--) if (bytes[at] === BETWEEN) return false;
  for (let at = end; at <= end + rest; at++) if (bytes[at] === BETWEEN) return true;
  return false;
}

/** The block of the word at a place. */
function blockAt(blockEnds: Uint32Array, place: number): number {
  let [low, high] = [0, blockEnds.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blockEnds[middle] as number) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The terms at places of the words; places in order. */
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

/** Finds tails in a dictionary. */
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
      // No term holds a longer one.
      if (pattern.length > dictionary.termMaxBytes) continue;
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
