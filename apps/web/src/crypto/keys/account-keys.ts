// The key worker's account operations: creating keys, checking a password, changing the password,
// the recovery kit ([Note: Recovery] in docs/crypto.md). The phrase leaves the worker once, to be
// displayed; no key ever leaves it.
import { deriveLoginHash } from '@keyfold/crypto/login';
import { createRecoveryPhrase, deriveRecovery } from '@keyfold/crypto/recovery';
import {
  createIdentity,
  deriveVaultKey,
  lockVault,
  type MainKey,
  unlockVault,
  wipeIdentity,
} from '@keyfold/crypto/vault';
import { getVault, hold } from './vault-keeper.ts';

/**
 * Data that the server stores when the password changes: a login hash, and the same keys under
 * another vault key.
 */
export type NewSecrets = { readonly loginHash: string; readonly mainKey: MainKey };

/** A recovery kit as the server stores it. */
export type StoredKit = { readonly proof: string; readonly main_key: MainKey };

/** Steps of creating an account, reported as each begins. */
export type KeyStep = 'login' | 'vault' | 'keys' | 'lock';

/** Creates and holds an identity for a new account; returns the data that the server must store. */
export async function createAccount(
  email: string,
  password: string,
  onStep: (step: KeyStep) => void,
): Promise<{ readonly loginHash: string; readonly mainKey: MainKey }> {
  onStep('login');
  const loginHash = await deriveLoginHash(password, email);
  onStep('vault');
  const vaultKey = await deriveVaultKey(password, email);
  try {
    onStep('keys');
    const identity = await createIdentity();
    onStep('lock');
    const mainKey = await lockVault(vaultKey, identity);
    await hold(email, identity);
    return { loginHash, mainKey };
  } finally {
    vaultKey.fill(0);
  }
}

/** Returns the login hash for the owner of the open vault. */
export function hashPassword(password: string): Promise<string> {
  return deriveLoginHash(password, getVault().email);
}

/** Returns whether a password opens the account's keys, without asking the server. */
export async function isPassword(password: string, mainKey: MainKey): Promise<boolean> {
  const vaultKey = await deriveVaultKey(password, getVault().email);
  try {
    wipeIdentity(await unlockVault(vaultKey, mainKey));
    return true;
  } catch {
    return false;
  } finally {
    vaultKey.fill(0);
  }
}

/** Returns the open vault's keys wrapped under a new password. */
export async function rewrapVault(password: string): Promise<NewSecrets> {
  const { email, identity } = getVault();
  const loginHash = await deriveLoginHash(password, email);
  const vaultKey = await deriveVaultKey(password, email);
  try {
    return { loginHash, mainKey: await lockVault(vaultKey, identity) };
  } finally {
    vaultKey.fill(0);
  }
}

/** Returns a new phrase, and the open vault's keys wrapped by it. */
export async function makeKit(): Promise<{ readonly phrase: string; readonly kit: StoredKit }> {
  const { email, identity } = getVault();
  const phrase = await createRecoveryPhrase();
  const { recoveryKey, proof } = await deriveRecovery(phrase, email);
  try {
    return { phrase, kit: { proof, main_key: await lockVault(recoveryKey, identity) } };
  } finally {
    recoveryKey.fill(0);
  }
}

/**
 * Returns the proof that the user knows the phrase. Rejects with 'Recovery phrase is not valid'.
 */
export async function proveKit(email: string, phrase: string): Promise<string> {
  const { recoveryKey, proof } = await deriveRecovery(phrase, email);
  recoveryKey.fill(0);
  return proof;
}

/** Opens and holds the keys of a kit; returns them wrapped under a new password. */
export async function openByKit(
  email: string,
  phrase: string,
  kitKey: MainKey,
  password: string,
): Promise<NewSecrets> {
  const { recoveryKey } = await deriveRecovery(phrase, email);
  try {
    await hold(email, await unlockVault(recoveryKey, kitKey));
  } finally {
    recoveryKey.fill(0);
  }
  return rewrapVault(password);
}
