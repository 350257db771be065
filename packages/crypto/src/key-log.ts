// Client-side checks of the key log (docs/crypto.md, Key log): that a head is signed, that it
// extends the head seen before, and that the keys returned for an address are the ones every user
// sees under that head.
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { CryptoError, failAs } from './errors.ts';
import { addressTag, headBytes, keysHash, stateHash } from './key-log/hashes.ts';
import { checkMapProof, type MapProof } from './key-log/map-proof.ts';
import { checkConsistency, checkInclusion } from './key-log/tree-proof.ts';
import { verifyEd25519 } from './primitives/javascript-ed25519.ts';
import type { PublicKeys } from './wire.ts';

/** State of the log that a client remembers; binary values are base64. */
export type SeenLog = {
  /** The service's Ed25519 key, trusted on first use. */
  readonly key: string;
  readonly size: number;
  readonly root: string;
};

/** Signed head as on the wire, with the map state that it ends in. */
export type LogHead = SeenLog & {
  readonly signature: string;
  readonly map_root: string;
  /** When that state was created, in seconds since the Unix epoch. */
  readonly time: number;
  /** Proof that the state is the last leaf of the tree. */
  readonly path: string;
  /** Proof that the tree extends the one seen before. */
  readonly growth: string;
};

/** Map proof as on the wire. */
export type KeyProof = {
  readonly path: string;
  readonly entry?: { readonly version: number; readonly previous: string } | undefined;
  readonly other?: { readonly tag: string; readonly entry: string } | undefined;
};

/** The entry found and its version; null when there are no keys. */
export type LoggedEntry = { readonly version: number; readonly entry: string } | null;

function refuse(why: string): never {
  throw new CryptoError('key_log_refused', new Error(why));
}

/** Returns whether the head's own key signed it. */
export function isSignedHead({
  key,
  size,
  root,
  signature,
}: SeenLog & { readonly signature: string }): boolean {
  try {
    return verifyEd25519(decodeBase64(key), headBytes(size, decodeBase64(root)), decodeBase64(signature));
  } catch {
    return false;
  }
}

/**
 * Checks a head against the state seen before (null: none yet) and returns the state to remember.
 * Throws CryptoError 'key_log_refused'.
 */
export const checkHead = (seen: SeenLog | null, head: LogHead): Promise<SeenLog> =>
  failAs('key_log_refused', async () => {
    const { key, size } = head;
    const root = decodeBase64(head.root);
    if (seen !== null && seen.key !== key) refuse('Another log');
    if (!isSignedHead(head)) refuse('Signature');
    const state = await stateHash(decodeBase64(head.map_root), head.time);
    await checkInclusion(root, size, size - 1, state, decodeBase64(head.path));
    if (seen !== null) await checkGrowth(seen, head, head.growth);
    return { key, size, root: head.root };
  });

/** Checks that one state of the log extends another. Throws CryptoError 'key_log_refused'. */
export const checkGrowth = (
  before: Pick<SeenLog, 'size' | 'root'>,
  after: Pick<SeenLog, 'size' | 'root'>,
  growth: string,
): Promise<void> =>
  failAs('key_log_refused', () =>
    checkConsistency(
      { size: before.size, root: decodeBase64(before.root) },
      { size: after.size, root: decodeBase64(after.root) },
      decodeBase64(growth),
    ),
  );

const bytesOf = ({ path, entry, other }: KeyProof): MapProof => ({
  path: decodeBase64(path),
  ...(entry === undefined
    ? {}
    : { entry: { version: entry.version, previous: decodeBase64(entry.previous) } }),
  ...(other === undefined
    ? {}
    : { other: { tag: decodeBase64(other.tag), entry: decodeBase64(other.entry) } }),
});

/**
 * Checks the entry for a directory name in the map of a checked head: it must hold these keys, or
 * none when `keys` is null. Throws CryptoError 'key_log_refused'.
 */
export const checkKeys = (
  mapRoot: string,
  name: string,
  keys: PublicKeys | null,
  proof: KeyProof,
): Promise<LoggedEntry> =>
  failAs('key_log_refused', async () => {
    const hash = keys === null ? null : await keysHash(keys);
    const entry = await checkMapProof(decodeBase64(mapRoot), await addressTag(name), hash, bytesOf(proof));
    return keys === null || entry === null
      ? null
      : { version: proof.entry?.version ?? 0, entry: encodeBase64(entry) };
  });
