// The hashes that the key log is built from: addresses, keys, entries, nodes of the map and of the
// tree (docs/crypto.md, Key log). Server and clients both compute them here; all other checks of
// the log build on them.
//
// [Note: Key log] The map holds the current keys of each address, one leaf per address, at a
// position that depends only on the address. One root therefore cannot contain two different
// answers for one address. Each state of the map is a leaf of an append-only tree (RFC 9162 §2.1).
// A client that has seen one state can request proof that a later one only added to it.
import { concatBytes, requireSize } from '../bytes.ts';
import { HASH_BYTES, KEY_LOG_LABELS, MLKEM_PUBLIC_BYTES, X25519_PUBLIC_BYTES } from '../params.ts';
import { type Bytes, encodeUtf8 } from '../platform.ts';
import { getPrimitives } from '../primitives/select.ts';
import type { PublicKeys } from '../wire.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const NOTHING = Uint8Array.of(2);
/** Value in the entry of an address that no longer has keys. */
export const NO_KEYS: Bytes = new Uint8Array(HASH_BYTES);
/** Predecessor of an address's first entry. */
export const NO_ENTRY: Bytes = new Uint8Array(HASH_BYTES);

const hash = async (...parts: readonly Uint8Array[]): Promise<Bytes> =>
  (await getPrimitives()).sha256(concatBytes(...parts));

const labeled = (label: string): Uint8Array => encodeUtf8(`${label}\0`);

function uint(value: number, sizeBytes: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError('Not a count');
  const bytes = new Uint8Array(sizeBytes);
  for (let at = sizeBytes - 1, left = value; at >= 0; at--, left = Math.floor(left / 256))
    bytes[at] = left % 256;
  return bytes;
}

/**
 * Returns the position of an address (in normal form) in the map: 32 bytes, read bit by bit from
 * the first.
 */
export const addressTag = (address: string): Promise<Bytes> =>
  hash(labeled(KEY_LOG_LABELS.address), encodeUtf8(address));

/** Returns the log's hash of a pair of public keys. */
export async function keysHash(keys: PublicKeys): Promise<Bytes> {
  requireSize(keys.dh_public, X25519_PUBLIC_BYTES, 'X25519 public key');
  requireSize(keys.mlkem_public, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
  return hash(labeled(KEY_LOG_LABELS.keys), keys.dh_public, keys.mlkem_public);
}

/**
 * Returns the hash of an address's entry: its version (1 for the first), its keys and, through the
 * previous entry, its whole history.
 */
export const entryHash = (previous: Uint8Array, version: number, keys: Uint8Array): Promise<Bytes> =>
  hash(labeled(KEY_LOG_LABELS.entry), previous, uint(version, 4), keys);

/** Returns the hash of an empty subtree of the map. */
export const emptyHash = (): Promise<Bytes> => hash(NOTHING);

/** Returns the hash of an address's leaf. */
export const mapLeafHash = (tag: Uint8Array, entry: Uint8Array): Promise<Bytes> => hash(LEAF, tag, entry);

/** Returns the hash of a node of the map or of the tree. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => hash(NODE, left, right);

/** Returns the tree leaf for a state of the map at `timeS` seconds since the Unix epoch. */
export const stateHash = (mapRoot: Uint8Array, timeS: number): Promise<Bytes> =>
  hash(LEAF, mapRoot, uint(timeS, 8));

/** Returns the bytes that the service signs for a tree of `size` states. */
export const headBytes = (size: number, root: Uint8Array): Bytes =>
  concatBytes(labeled(KEY_LOG_LABELS.head), uint(size, 8), root);

/** Returns bit number `depth` of a tag, 0 for left. */
export const bitOf = (tag: Uint8Array, depth: number): 0 | 1 =>
  (((tag[depth >> 3] as number) >> (7 - (depth & 7))) & 1) as 0 | 1;
