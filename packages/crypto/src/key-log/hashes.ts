// What the key log is made of: the hashes of addresses, keys, entries, nodes of the map and of the tree (docs/crypto.md, Key
// log). Server and clients compute them from here; everything else about the log is checked with them.
//
// [Note: Key log] The map says which keys each address has now, one leaf for each address at a place that only the address
// decides; so two different answers for one address cannot both be under one root. Each state of the map is a leaf of a
// tree that only grows (RFC 9162 §2.1). Whoever has seen one state can have it proved that a later one only added to it.
import { concatBytes, requireSize } from '../bytes.ts';
import { HASH_BYTES, KEY_LOG_LABELS, MLKEM_PUBLIC_BYTES, X25519_PUBLIC_BYTES } from '../params.ts';
import { type Bytes, encodeUtf8 } from '../platform.ts';
import { getPrimitives } from '../primitives/select.ts';
import type { PublicKeys } from '../wire.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);
const NOTHING = Uint8Array.of(2);
/** What stands in an entry for an address that has no keys any more. */
export const NO_KEYS: Bytes = new Uint8Array(HASH_BYTES);
/** What comes before the first entry of an address. */
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

/** Where an address (in normal form) stands in the map: 32 bytes, read bit by bit from the first. */
export const addressTag = (address: string): Promise<Bytes> =>
  hash(labeled(KEY_LOG_LABELS.address), encodeUtf8(address));

/** What the log says of a pair of public keys. */
export async function keysHash(keys: PublicKeys): Promise<Bytes> {
  requireSize(keys.dh_public, X25519_PUBLIC_BYTES, 'X25519 public key');
  requireSize(keys.mlkem_public, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
  return hash(labeled(KEY_LOG_LABELS.keys), keys.dh_public, keys.mlkem_public);
}

/** The entry of an address: its version (1 for the first), its keys, and by the entry before it its whole history. */
export const entryHash = (previous: Uint8Array, version: number, keys: Uint8Array): Promise<Bytes> =>
  hash(labeled(KEY_LOG_LABELS.entry), previous, uint(version, 4), keys);

/** A place of the map with nothing under it. */
export const emptyHash = (): Promise<Bytes> => hash(NOTHING);

/** The one leaf of an address. */
export const mapLeafHash = (tag: Uint8Array, entry: Uint8Array): Promise<Bytes> => hash(LEAF, tag, entry);

/** A node of the map or of the tree. */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Bytes> => hash(NODE, left, right);

/** The leaf of the tree for a state of the map, as of `timeS` seconds since 1970. */
export const stateHash = (mapRoot: Uint8Array, timeS: number): Promise<Bytes> =>
  hash(LEAF, mapRoot, uint(timeS, 8));

/** What the service signs for a tree of `size` states. */
export const headBytes = (size: number, root: Uint8Array): Bytes =>
  concatBytes(labeled(KEY_LOG_LABELS.head), uint(size, 8), root);

/** Bit number `depth` of a tag, 0 for left. */
export const bitOf = (tag: Uint8Array, depth: number): 0 | 1 =>
  (((tag[depth >> 3] as number) >> (7 - (depth & 7))) & 1) as 0 | 1;
