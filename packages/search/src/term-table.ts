// Assigns numbers to terms, given by their position in a text. Slicing and hashing a string per
// word would take most of the indexing time, so words are compared with known ones letter by
// letter.
import { encodeText } from './bytes.ts';

/** A table of terms. */
export type TermTable = {
  /** Returns the number of the term at [start, end) of a text, assigning one to a new term. */
  readonly idOf: (text: string, start: number, end: number) => number;
  readonly size: () => number;
  /** Returns the numbers of all terms in UTF-8 order. */
  readonly sorted: () => Uint32Array;
  /** Writes a term in UTF-8 and returns its byte count. */
  readonly encode: (id: number, into: Uint8Array) => number;
};

/** Minimum slots per term, to keep collisions rare. */
const ROOM = 2;

export function createTermTable(): TermTable {
  let slots = new Int32Array(16_384);
  let hashes = new Int32Array(4_096);
  /** Start offset of each term's letters; a term ends where the next one starts. */
  let starts = new Uint32Array(4_097);
  let letters = new Uint16Array(65_536);
  let count = 0;
  const grow = (): void => {
    hashes = larger(hashes, new Int32Array(hashes.length * 2));
    starts = larger(starts, new Uint32Array(hashes.length + 1));
    slots = new Int32Array(slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < count; id++) {
      let slot = (hashes[id] as number) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
  };
  const idOf = (text: string, start: number, end: number): number => {
    let hash = 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = (slots[slot] as number) - 1;
      if (id < 0) break;
      if (hashes[id] === hash) {
        let at = starts[id] as number;
        if ((starts[id + 1] as number) - at === end - start) {
          let from = start;
          while (from < end && text.charCodeAt(from) === letters[at]) {
            from++;
            at++;
          }
          if (from === end) return id;
        }
      }
      slot = (slot + 1) & mask;
    }
    const id = count++;
    slots[slot] = id + 1;
    hashes[id] = hash;
    let at = starts[id] as number;
    if (at + end - start > letters.length)
      letters = larger(letters, new Uint16Array(letters.length * 2 + end - start));
    for (let from = start; from < end; from++) letters[at++] = text.charCodeAt(from);
    starts[id + 1] = at;
    if (count === hashes.length || count * ROOM > slots.length) grow();
    return id;
  };
  /** A code unit's rank in UTF-8 order: surrogates sort after all other code units. */
  const rankAt = (at: number, end: number): number => {
    if (at >= end) return 0;
    const letter = letters[at] as number;
    return letter < 0xd800 ? letter : letter >= 0xe000 ? letter - 0x800 : letter + 0x2000;
  };
  const sorted = (): Uint32Array => {
    // The first three letters packed into one number distinguish most terms.
    const keys = new Float64Array(count);
    for (let id = 0; id < count; id++) {
      const [start, end] = [starts[id] as number, starts[id + 1] as number];
      keys[id] = rankAt(start, end) * 2 ** 32 + rankAt(start + 1, end) * 2 ** 16 + rankAt(start + 2, end);
    }
    const compare = (a: number, b: number): number => {
      const difference = (keys[a] as number) - (keys[b] as number);
      if (difference !== 0) return difference;
      const [endA, endB] = [starts[a + 1] as number, starts[b + 1] as number];
      let [atA, atB] = [(starts[a] as number) + 3, (starts[b] as number) + 3];
      while (atA < endA && letters[atA] === letters[atB] && atB < endB) {
        atA++;
        atB++;
      }
      return rankAt(atA, endA) - rankAt(atB, endB);
    };
    return Uint32Array.from({ length: count }, (_, id) => id).sort(compare);
  };
  const encode = (id: number, into: Uint8Array): number => {
    const [start, end] = [starts[id] as number, starts[id + 1] as number];
    for (let at = start; at < end; at++) {
      const letter = letters[at] as number;
      if (letter >= 0x80) {
        const bytes = encodeText(String.fromCharCode(...letters.subarray(start, end)));
        into.set(bytes);
        return bytes.length;
      }
      into[at - start] = letter;
    }
    return end - start;
  };
  return { idOf, size: () => count, sorted, encode };
}

function larger<T extends Int32Array | Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from as never);
  return to;
}
