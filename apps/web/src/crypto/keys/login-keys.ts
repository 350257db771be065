// Signing in, inside the key worker: the derivations from the password, and opening the vault
// (docs/wire-format.md#passwords, docs/wire-format.md#keys). Loaded at sign-in; a resumed session
// does not need it.
import { deriveLoginHash } from '@keyfold/crypto/login';
import { deriveVaultKey, type MainKey, unlockVault } from '@keyfold/crypto/vault';
import { alsoOnLock, hold, type VaultFacts } from './vault-keeper.ts';

let pendingVaultKey: { readonly email: string; readonly key: Promise<Uint8Array> } | null = null;

function dropPendingKey(): void {
  const pending = pendingVaultKey;
  pendingVaultKey = null;
  pending?.key.then(key => key.fill(0)).catch(() => undefined);
}

alsoOnLock(dropPendingKey);

/**
 * Returns the login hash of a password. The vault key is derived while the request to the server is
 * in flight: two derivations in parallel take no less time than one after the other.
 */
export async function prepareLogin(email: string, password: string): Promise<string> {
  dropPendingKey();
  const loginHash = await deriveLoginHash(password, email);
  const key = deriveVaultKey(password, email);
  key.catch(() => undefined);
  pendingVaultKey = { email, key };
  return loginHash;
}

/** Opens the vault that the server sent, using the key derived by the last prepareLogin. */
export async function finishLogin(email: string, mainKey: MainKey): Promise<VaultFacts> {
  const pending = pendingVaultKey;
  pendingVaultKey = null;
  if (pending === null || pending.email !== email) throw new Error('Email mismatch. Please login again.');
  const vaultKey = await pending.key;
  try {
    return await hold(email, await unlockVault(vaultKey, mainKey));
  } finally {
    vaultKey.fill(0);
  }
}
