// Holds the unlocked vault inside the key worker: the identity, the keys it replaced, the message
// keys of opened messages. Only hashes, sealed texts and public keys reach the main thread
// (docs/wire-format.md#passwords, docs/wire-format.md#keys).
import { decodeBase64, encodeBase64 } from '@keyfold/crypto/message';
import { createOpener, type Opener } from '@keyfold/crypto/opener';
import {
  deserializeVault,
  type Identity,
  openLocal,
  type SerializedVault,
  sealLocal,
  serializeVault,
  wipeIdentity,
} from '@keyfold/crypto/vault';
import { createKeyCache, type KeyCache } from './key-cache.ts';

/** Keys that were in use before and still open old messages. */
export type HeldRetired = {
  readonly identity: Identity;
  /** Generation of these keys within the account, counted from 1. */
  readonly generation: number;
  readonly opener: Opener;
};

export type HeldVault = {
  readonly email: string;
  /** The current keys. */
  readonly identity: Identity;
  /** Oldest first. */
  readonly retired: readonly HeldRetired[];
  /** Also opens with the retired keys. */
  readonly opener: Opener;
  /** Message keys by message ID. */
  readonly messageKeys: KeyCache;
};

/** Facts about an unlocked vault that the main thread may know. */
export type VaultFacts = {
  readonly email: string;
  readonly keyId: string;
  readonly dhPublicB64: string;
};

const vaultLabel = 'vault';
/** Maximum number of cached message keys; a key is 32 bytes, so this is well under a megabyte. */
const KEPT_MESSAGE_KEYS = 20_000;

let held: HeldVault | null = null;
let dropPending: () => void = () => undefined;

/**
 * Registers a callback for when the vault is wiped: it wipes a key that waits for an answer of the
 * server.
 */
export function alsoOnLock(drop: () => void): void {
  dropPending = drop;
}

/** Returns the unlocked vault. Throws 'Vault not found. Please login again.' when there is none. */
export function getVault(): HeldVault {
  if (held === null) throw new Error('Vault not found. Please login again.');
  return held;
}

/** Wipes the vault and every message key. */
export function lock(): void {
  dropPending();
  if (held === null) return;
  held.opener.close();
  held.messageKeys.clear();
  for (const { identity } of [held, ...held.retired]) wipeIdentity(identity);
  held = null;
}

/** Makes an identity the open one. */
export async function hold(email: string, identity: Identity): Promise<VaultFacts> {
  const opener = await createOpener(identity);
  lock();
  held = { email, identity, retired: [], opener, messageKeys: createKeyCache(KEPT_MESSAGE_KEYS) };
  return vaultFacts();
}

/**
 * Replaces the retired keys held beside the current ones. The caller must wipe the secrets of the
 * ones it replaces.
 */
export function holdBeside(vault: HeldVault, retired: readonly HeldRetired[], opener: Opener): boolean {
  if (held !== vault) return false;
  held = { ...vault, retired, opener };
  return true;
}

/** Returns the public facts about the open vault. */
export function vaultFacts(): VaultFacts {
  const { email, identity } = getVault();
  return {
    email,
    keyId: identity.key_id,
    dhPublicB64: encodeBase64(identity.dh_public),
  };
}

/** Returns the vault sealed under the session's client key, for local storage. */
export async function exportVault(clientKeyB64: string): Promise<string> {
  const { email, identity } = getVault();
  const plain = new TextEncoder().encode(JSON.stringify(serializeVault(email, identity)));
  const clientKey = decodeBase64(clientKeyB64);
  try {
    return await sealLocal(clientKey, vaultLabel, plain);
  } finally {
    plain.fill(0);
    clientKey.fill(0);
  }
}

/**
 * Opens a vault from local storage and holds it. Rejects when it was sealed for another session or
 * is damaged.
 */
export async function importVault(clientKeyB64: string, sealed: string): Promise<VaultFacts> {
  const clientKey = decodeBase64(clientKeyB64);
  const plain = await openLocal(clientKey, vaultLabel, sealed).finally(() => clientKey.fill(0));
  try {
    const stored = JSON.parse(new TextDecoder().decode(plain)) as SerializedVault;
    const { email, identity } = await deserializeVault(stored);
    return await hold(email, identity);
  } finally {
    plain.fill(0);
  }
}
