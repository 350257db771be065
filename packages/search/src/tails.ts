// Finds the terms of a dictionary that end with a word, as compounds do, by going through all of them: an index of the ends of
// words would be as large again as that of the words. What was gone through for the beginning of a word is kept for its next
// letters.
import { encodeText } from './bytes.ts';
import type { Tail } from './spellings.ts';

/** Letters that terms are first gone through by. */
const STEM_UNITS = 4;
/** Words whose terms are kept. */
const KEPT_MAX = 8;

/** Where a dictionary and its postings stand in the bytes of a segment, and how long a term may be. */
export type Dictionary = {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly termCount: number;
  readonly postingsStart: number;
  readonly termMaxBytes: number;
};

/** A term that was found: its text, and where its postings stand. */
export type FoundTerm = {
  readonly text: Uint8Array;
  readonly postingsAt: number;
  readonly postingsEnd: number;
};

export type TailFinder = (tails: readonly Tail[]) => readonly FoundTerm[];

/** Bytes of what stands before and behind; all letters of one script have as many. */
const unitBytes = (pattern: Uint8Array): number => ((pattern[0] as number) < 0x80 ? 1 : 3);

/** Whether a term is one word: it has no signs between parts. */
function isOneWord(bytes: Uint8Array, length: number): boolean {
  for (let at = 0; at < length; at++) if ((bytes[at] as number) < 0x61) return false;
  return true;
}

/** Where a pattern begins first between two places; -1 for nowhere. */
function findIn(bytes: Uint8Array, pattern: Uint8Array, from: number, to: number): number {
  const first = pattern[0] as number;
  for (let place = from; place <= to; place++) {
    if (bytes[place] !== first) continue;
    let at = 1;
    while (at < pattern.length && bytes[place + at] === pattern[at]) at++;
    if (at === pattern.length) return place;
  }
  return -1;
}

/**
 * The terms in which a pattern stands behind `headBytes` at least. Reads the numbers by itself, and of each term only what it
 * does not share with the one before: there are terms by the million.
 */
function termsWith(dictionary: Dictionary, pattern: Uint8Array, headBytes: number): FoundTerm[] {
  const { bytes, start, end, termCount, postingsStart, termMaxBytes } = dictionary;
  const found: FoundTerm[] = [];
  const term = new Uint8Array(termMaxBytes);
  let at = start;
  let postingsAt = postingsStart;
  let length = 0;
  let place = -1;
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
  for (let index = 0; index < termCount; index++) {
    const shared = number();
    const own = number();
    if (shared > length || shared + own > termMaxBytes || at + own > end)
      throw new RangeError('Damaged segment');
    length = shared + own;
    for (let to = shared; to < length; to++) term[to] = bytes[at++] as number;
    number();
    const postingsEnd = postingsAt + number();
    if (place < 0 || place + pattern.length > shared) {
      const from = Math.max(headBytes, shared - pattern.length + 1);
      place = findIn(term, pattern, from, length - pattern.length);
    }
    if (place >= 0 && isOneWord(term, length))
      found.push({ text: term.slice(0, length), postingsAt, postingsEnd });
    postingsAt = postingsEnd;
  }
  return found;
}

/** Finds tails in a dictionary. */
export function createTailFinder(dictionary: Dictionary): TailFinder {
  const kept = new Map<string, readonly FoundTerm[]>();
  const keptFor = (stem: string): readonly FoundTerm[] => {
    const known = kept.get(stem);
    if (known !== undefined) return known;
    const pattern = encodeText(stem);
    const found = termsWith(dictionary, pattern, unitBytes(pattern));
    kept.set(stem, found);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    return found;
  };
  return tails => {
    const found = new Set<FoundTerm>();
    for (const { text, headMin, restMax } of tails) {
      const pattern = encodeText(text);
      const unit = unitBytes(pattern);
      for (const one of keptFor(text.slice(0, unit === 1 ? STEM_UNITS : 2))) {
        const last = one.text.length - pattern.length;
        if (findIn(one.text, pattern, Math.max(headMin * unit, last - restMax * unit), last) >= 0)
          found.add(one);
      }
    }
    return [...found];
  };
}
