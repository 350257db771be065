// Proofs of the map: what stands at an address's place, or that nothing does.
import { equalBytes } from '../bytes.ts';
import { CryptoError } from '../errors.ts';
import { HASH_BYTES, KEY_LOG_MAX_DEPTH } from '../params.ts';
import { bitOf, emptyHash, entryHash, mapLeafHash, NO_KEYS, nodeHash } from './hashes.ts';

/** What a proof of the map carries. */
export type MapProof = {
  /** The nodes beside the way from the root to the place, the root's child first; 32 bytes each. */
  readonly path: Uint8Array;
  /** The address's entry: its version and the entry before it. Absent when the address has none. */
  readonly entry?: { readonly version: number; readonly previous: Uint8Array };
  /** Who stands there instead; absent together with `entry` when nobody does. */
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
 * Checks that under `root` the address of this tag has an entry with these keys (their hash); when `keys` is null, that it
 * has none, or one that says that it has no keys any more. Returns the entry. Throws CryptoError 'key_log_refused'.
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
