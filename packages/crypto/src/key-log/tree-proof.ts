// Proofs of the tree of states: that a state is its last leaf (inclusion), and that one tree
// extends another (consistency). Verified as in RFC 9162 §2.1.3.2 and §2.1.4.2.
import { equalBytes } from '../bytes.ts';
import { CryptoError } from '../errors.ts';
import { HASH_BYTES } from '../params.ts';
import { nodeHash } from './hashes.ts';

function refuse(why: string): never {
  throw new CryptoError('key_log_refused', new Error(why));
}

function partsOf(path: Uint8Array): Uint8Array[] {
  if (path.length % HASH_BYTES !== 0) refuse('Path');
  return Array.from({ length: path.length / HASH_BYTES }, (_, at) =>
    path.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

const half = (value: number): number => Math.floor(value / 2);
const isOdd = (value: number): boolean => value % 2 === 1;

/**
 * Checks that `leaf` is number `index` in the tree of `size` leaves with this root. Throws
 * 'key_log_refused'.
 */
export async function checkInclusion(
  root: Uint8Array,
  size: number,
  index: number,
  leaf: Uint8Array,
  path: Uint8Array,
): Promise<void> {
  if (!(index >= 0 && index < size)) refuse('Index');
  let [at, last] = [index, size - 1];
  let node = leaf;
  for (const beside of partsOf(path)) {
    if (last === 0) refuse('Path too long');
    if (isOdd(at) || at === last) {
      node = await nodeHash(beside, node);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else node = await nodeHash(node, beside);
    [at, last] = [half(at), half(last)];
  }
  if (last !== 0 || !equalBytes(node, root)) refuse('Root of the tree');
}

/** Tree as seen by a client: number of leaves, and root. */
export type TreeHead = { readonly size: number; readonly root: Uint8Array };

/**
 * Checks that the tree `after` contains all leaves of `before` in the same positions. Throws
 * 'key_log_refused'.
 */
export async function checkConsistency(before: TreeHead, after: TreeHead, path: Uint8Array): Promise<void> {
  const parts = partsOf(path);
  if (before.size > after.size) refuse('The tree has shrunk');
  if (before.size === 0) return;
  if (before.size === after.size) {
    if (parts.length > 0 || !equalBytes(before.root, after.root)) refuse('Another tree of the same size');
    return;
  }
  let [at, last] = [before.size - 1, after.size - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  // When the size of a tree is a power of two, its root is the first part.
  const first = at === 0 ? before.root : parts.shift();
  if (first === undefined || parts.length === 0) return refuse('Path too short');
  let [old, now] = [first, first];
  for (const beside of parts) {
    if (last === 0) refuse('Path too long');
    if (isOdd(at) || at === last) {
      old = await nodeHash(beside, old);
      now = await nodeHash(beside, now);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else now = await nodeHash(now, beside);
    [at, last] = [half(at), half(last)];
  }
  if (last !== 0 || !equalBytes(old, before.root) || !equalBytes(now, after.root))
    refuse('The tree was changed');
}
