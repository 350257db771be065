/**
 * The tree of states of the key log (RFC 9162 §2.1) over its complete subtrees, which never change: node (level, place)
 * covers the 2^level leaves from place * 2^level on. Says which of them a question needs, and answers it from them.
 */
import { nodeHash } from '@keyfold/crypto/key-log/hashes';

export type TreePlace = { readonly level: number; readonly place: number };
export type TreeNode = TreePlace & { readonly hash: Uint8Array };
/** Leaves from `start` up to `end`, without it. */
export type Range = { readonly start: number; readonly end: number };
export type KnownTree = ReadonlyMap<string, Uint8Array>;

const keyOf = ({ level, place }: TreePlace): string => `${level} ${place}`;

export const knownTree = (nodes: readonly TreeNode[]): Map<string, Uint8Array> =>
  new Map(nodes.map(node => [keyOf(node), node.hash]));

/** The largest power of two below a size. */
const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

const isPowerOfTwo = (size: number): boolean => size === 2 ** Math.round(Math.log2(size));

/** The complete subtrees that a range is made of, from left to right. A range begins where such a subtree may begin. */
export function placesOf({ start, end }: Range): TreePlace[] {
  const size = end - start;
  if (isPowerOfTwo(size)) return [{ level: Math.round(Math.log2(size)), place: start / size }];
  const middle = start + splitOf(size);
  return [...placesOf({ start, end: middle }), ...placesOf({ start: middle, end })];
}

/** The hash of a range from the complete subtrees it is made of. */
export async function hashOf(range: Range, known: KnownTree): Promise<Uint8Array> {
  const hashes = placesOf(range).map(place => {
    const hash = known.get(keyOf(place));
    if (hash === undefined) throw new Error('A subtree of the key log is missing');
    return hash;
  });
  let hash = hashes.pop() as Uint8Array;
  for (const left of hashes.reverse()) hash = await nodeHash(left, hash);
  return hash;
}

/** What proves that leaf `index` is one of the first `size`. */
export function inclusionOf(index: number, size: number): Range[] {
  const path: Range[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      path.unshift({ start: middle, end });
      end = middle;
    } else {
      path.unshift({ start, end: middle });
      start = middle;
    }
  }
  return path;
}

/** What proves that the tree of `from` leaves is the beginning of that of `to`. */
export function growthOf(from: number, to: number): Range[] {
  const path: Range[] = [];
  let [start, end] = [0, to];
  while (from < end) {
    const middle = start + splitOf(end - start);
    if (from <= middle) {
      path.unshift({ start: middle, end });
      end = middle;
    } else {
      path.unshift({ start, end: middle });
      start = middle;
    }
  }
  // The old tree itself is known to who asks; a part of it is not.
  return start === 0 ? path : [{ start, end }, ...path];
}

/** The subtrees that adding leaf number `size` needs beside it. */
export const neededToAppend = (size: number): TreePlace[] => placesOf({ start: 0, end: size });

/** Adds leaf number `size`: the subtrees that it completes, itself first. */
export async function appendLeaf(size: number, leaf: Uint8Array, known: KnownTree): Promise<TreeNode[]> {
  const made: TreeNode[] = [{ level: 0, place: size, hash: leaf }];
  let hash = leaf;
  let place = size;
  for (let level = 0; place % 2 === 1; level++) {
    const left = known.get(keyOf({ level, place: place - 1 }));
    if (left === undefined) throw new Error('A subtree of the key log is missing');
    hash = await nodeHash(left, hash);
    place = (place - 1) / 2;
    made.push({ level: level + 1, place, hash });
  }
  return made;
}
