/**
 * Tree of the key log's states (RFC 9162 §2.1) over its complete subtrees, which never change: node
 * (level, place) covers the 2^level leaves from place * 2^level on. Determines which subtrees a
 * proof needs and builds it from them.
 */
import { nodeHash } from '@keyfold/crypto/key-log/hashes';

export type TreePlace = { readonly level: number; readonly place: number };
export type TreeNode = TreePlace & { readonly hash: Uint8Array };
/** Leaves from `start` up to but excluding `end`. */
export type Range = { readonly start: number; readonly end: number };
export type KnownTree = ReadonlyMap<string, Uint8Array>;

const keyOf = ({ level, place }: TreePlace): string => `${level} ${place}`;

export const knownTree = (nodes: readonly TreeNode[]): Map<string, Uint8Array> =>
  new Map(nodes.map(node => [keyOf(node), node.hash]));

/** Returns the largest power of two below a size. */
const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

const isPowerOfTwo = (size: number): boolean => size === 2 ** Math.round(Math.log2(size));

/**
 * Returns the complete subtrees that make up a range, from left to right. The range must begin
 * where such a subtree may begin.
 */
export function placesOf({ start, end }: Range): TreePlace[] {
  const size = end - start;
  if (isPowerOfTwo(size)) return [{ level: Math.round(Math.log2(size)), place: start / size }];
  const middle = start + splitOf(size);
  return [...placesOf({ start, end: middle }), ...placesOf({ start: middle, end })];
}

/** Returns the hash of a range, computed from its complete subtrees. */
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

/** Returns the ranges that prove that leaf `index` is one of the first `size`. */
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

/**
 * Returns the ranges that prove that the tree of `from` leaves is a prefix of the tree of `to`
 * leaves.
 */
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
  // The verifier knows the hash of the old tree itself, but not that of a part of it.
  return start === 0 ? path : [{ start, end }, ...path];
}

/** Returns the subtrees that appending leaf number `size` needs. */
export const neededToAppend = (size: number): TreePlace[] => placesOf({ start: 0, end: size });

/**
 * Appends leaf number `size`. Returns the subtrees that it completes, beginning with the leaf
 * itself.
 */
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
