// The key log as a client checks it (docs/crypto.md, Key log): a signed head, that it grew out of the head seen before, and
// that the keys given out for an address are the ones that everybody is shown under that head.
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { CryptoError, failAs } from './errors.ts';
import { addressTag, headBytes, keysHash, stateHash } from './key-log/hashes.ts';
import { checkMapProof, type MapProof } from './key-log/map-proof.ts';
import { checkConsistency, checkInclusion } from './key-log/tree-proof.ts';
import { verifyEd25519 } from './primitives/javascript-ed25519.ts';
import type { PublicKeys } from './wire.ts';

/** What a client remembers of the log; binary values are base64. */
export type SeenLog = {
  /** The service's Ed25519 key, taken at first sight. */
  readonly key: string;
  readonly size: number;
  readonly root: string;
};

/** A signed head as the wire carries it, with the state of the map that it ends in. */
export type LogHead = SeenLog & {
  readonly signature: string;
  readonly map_root: string;
  /** When that state was made, seconds since 1970. */
  readonly time: number;
  /** Proof that the state is the tree's last leaf. */
  readonly path: string;
  /** Proof that the tree grew out of the one that was seen. */
  readonly growth: string;
};

/** A proof of the map as the wire carries it. */
export type KeyProof = {
  readonly path: string;
  readonly entry?: { readonly version: number; readonly previous: string } | undefined;
  readonly other?: { readonly tag: string; readonly entry: string } | undefined;
};

/** The version of the entry that answered, and the entry; null when there are no keys. */
export type LoggedEntry = { readonly version: number; readonly entry: string } | null;

function refuse(why: string): never {
  throw new CryptoError('key_log_refused', new Error(why));
}

/** Whether the key of a head signed it. */
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
 * Checks a head against what was seen before (null: nothing yet) and returns what to remember. Throws CryptoError
 * 'key_log_refused'.
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

/** Checks that one state of the log grew out of another. Throws CryptoError 'key_log_refused'. */
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
 * Checks what the map of a checked head says of a name of the directory: these keys, or none when `keys` is null. Throws
 * CryptoError 'key_log_refused'.
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
