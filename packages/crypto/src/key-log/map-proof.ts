// Proofs of the map: which entry is at an address's position, or that there is none.
import { equalBytes } from '../bytes.ts';
import { CryptoError } from '../errors.ts';
import { HASH_BYTES, KEY_LOG_MAX_DEPTH } from '../params.ts';
import { bitOf, emptyHash, entryHash, mapLeafHash, NO_KEYS, nodeHash } from './hashes.ts';

/** Content of a map proof. */
export type MapProof = {
  /**
   * Sibling nodes on the path from the root to the position, the root's child first; 32 bytes each.
   */
  readonly path: Uint8Array;
  /** Entry of the address: its version and the previous entry. Absent when the address has none. */
  readonly entry?: { readonly version: number; readonly previous: Uint8Array };
  /**
   * Another address's leaf at this position. Absent together with `entry` when the position is
   * empty.
   */
  readonly other?: { readonly tag: Uint8Array; readonly entry: Uint8Array };
};

function refuse(why: string): never {
  throw new CryptoError('key_log_refused', new Error(why));
}

function sharesPrefix(a: Uint8Array, b: Uint8Array, bits: number): boolean {
  for (let depth = 0; depth < bits; depth++) if (bitOf(a, depth) !== bitOf(b, depth)) return false;
  return true;
}

async function placeOf(tag: Uint8Array, keys: Uint8Array | null, proof: MapProof, depth: number) {
  const { entry, other } = proof;
  if (entry !== undefined) {
    const own = await entryHash(entry.previous, entry.version, keys ?? NO_KEYS);
    return { place: await mapLeafHash(tag, own), entry: own };
  }
  if (keys !== null) return refuse('There is no entry');
  if (other === undefined) return { place: await emptyHash(), entry: null };
  if (equalBytes(other.tag, tag) || !sharesPrefix(other.tag, tag, depth)) return refuse('Another place');
  return { place: await mapLeafHash(other.tag, other.entry), entry: null };
}

/**
 * Checks that under `root` the address of this tag has an entry with these keys (their hash). When
 * `keys` is null, checks that it has no entry, or an entry stating that it no longer has keys.
 * Returns the entry. Throws CryptoError 'key_log_refused'.
 */
export async function checkMapProof(
  root: Uint8Array,
  tag: Uint8Array,
  keys: Uint8Array | null,
  proof: MapProof,
): Promise<Uint8Array | null> {
  const depth = proof.path.length / HASH_BYTES;
  if (!Number.isInteger(depth) || depth > KEY_LOG_MAX_DEPTH) refuse('Path');
  const found = await placeOf(tag, keys, proof, depth);
  let node: Uint8Array = found.place;
  for (let at = depth - 1; at >= 0; at--) {
    const beside = proof.path.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES);
    node = bitOf(tag, at) === 0 ? await nodeHash(node, beside) : await nodeHash(beside, node);
  }
  if (!equalBytes(node, root)) refuse('Root of the map');
  return found.entry;
}
