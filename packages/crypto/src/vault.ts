// The key vault: creating an identity, locking it under the password for the server, and keeping it
// in local storage (docs/wire-format.md#keys, docs/spec-map.md 3). Client only: the server never
// imports this file. [Note: Swapped keys] Public keys are unencrypted in main_key, so a hostile
// server could replace them to make others seal to its keys. Unlocking therefore recomputes both
// public keys and key_id from the private ones, and fails if they differ.

import { concatBytes, decodeBase64, encodeBase64, equalBytes, requireSize, wipe } from './bytes.ts';
import { deriveFromPassword } from './derivation.ts';
import { CryptoError, failAs } from './errors.ts';
import { fingerprintOf } from './fingerprint.ts';
import { openBox, sealBox } from './gcm-box.ts';
import {
  GCM_IV_BYTES,
  LOCAL_LABEL,
  MLKEM_SEED_BYTES,
  SENT_KEY_BYTES,
  VAULT_KEY_BYTES,
  VAULT_SALT_PREFIX,
  X25519_PRIVATE_BYTES,
} from './params.ts';
import { type Bytes, encodeUtf8 } from './platform.ts';
import type { GcmKey, Primitives } from './primitives/port.ts';
import { getPrimitives } from './primitives/select.ts';
import type { Identity, MainKey } from './wire.ts';

export { normalizeEmail } from './derivation.ts';
export type { Identity, MainKey } from './wire.ts';

/**
 * Serialized form of the vault; every value except the address is base64. docs/spec-map.md 3.
 * Secret: seal it before storing.
 */
export type SerializedVault = {
  readonly email: string;
  readonly key_id: string;
  readonly dh_pub: string;
  readonly dh_priv: string;
  readonly mlkem_pub: string;
  readonly mlkem_priv: string;
  readonly sent_key: string;
};

/**
 * Derives the vault key, 32 bytes, with one Argon2id run. It never leaves the client; the caller
 * wipes it.
 */
export function deriveVaultKey(password: string, email: string): Promise<Bytes> {
  return deriveFromPassword(password, email, VAULT_SALT_PREFIX);
}

/** Creates new random key pairs and a new sent_key. */
export async function createIdentity(): Promise<Identity> {
  const { random } = await getPrimitives();
  return failAs('vault_lock_failed', () =>
    completeIdentity({
      mlkem_private: random(MLKEM_SEED_BYTES),
      dh_private: random(X25519_PRIVATE_BYTES),
      sent_key: random(SENT_KEY_BYTES),
    }),
  );
}

/** Seals an identity under the vault key, at registration and after a password change. */
export async function lockVault(vaultKey: Uint8Array, identity: Identity): Promise<MainKey> {
  return failAs('vault_lock_failed', () =>
    withVaultKey(vaultKey, async (primitives, key) => {
      await requireConsistent(identity);
      const [mlkem, dh, sent] = await Promise.all([
        sealBox(primitives, key, identity.mlkem_private),
        sealBox(primitives, key, identity.dh_private),
        sealBox(primitives, key, identity.sent_key),
      ]);
      return {
        mlkem_public_key: encodeBase64(identity.mlkem_public),
        mlkem_private_key_encrypted: encodeBase64(mlkem),
        dh_public_key: encodeBase64(identity.dh_public),
        dh_private_key_encrypted: encodeBase64(dh),
        sent_key: encodeBase64(sent),
        key_id: identity.key_id,
      };
    }),
  );
}

/**
 * Opens a main_key. Throws 'Failed to unlock vault' for a wrong password or damage, and 'Vault keys
 * do not match' when the public keys or key_id do not belong to the private ones ([Note: Swapped
 * keys]).
 */
export async function unlockVault(vaultKey: Uint8Array, mainKey: MainKey): Promise<Identity> {
  return failAs('vault_unlock_failed', () =>
    withVaultKey(vaultKey, async (_primitives, key) => {
      const opened = await Promise.allSettled([
        openSecret(key, mainKey.mlkem_private_key_encrypted),
        openSecret(key, mainKey.dh_private_key_encrypted),
        openSecret(key, mainKey.sent_key),
      ]);
      const secrets = opened.map(part => (part.status === 'fulfilled' ? part.value : null));
      const [mlkem_private, dh_private, sent_key] = secrets;
      try {
        if (!mlkem_private || !dh_private || !sent_key)
          throw opened.find(part => part.status === 'rejected')?.reason;
        const identity = await completeIdentity({ mlkem_private, dh_private, sent_key });
        requireSame(
          identity,
          decodeBase64(mainKey.dh_public_key),
          decodeBase64(mainKey.mlkem_public_key),
          mainKey.key_id,
        );
        return identity;
      } catch (error) {
        wipe(...secrets);
        throw error;
      }
    }),
  );
}

/** Returns the vault in its serialized form. Inverse of {@link deserializeVault}. */
export function serializeVault(email: string, identity: Identity): SerializedVault {
  return {
    email,
    key_id: identity.key_id,
    dh_pub: encodeBase64(identity.dh_public),
    dh_priv: encodeBase64(identity.dh_private),
    mlkem_pub: encodeBase64(identity.mlkem_public),
    mlkem_priv: encodeBase64(identity.mlkem_private),
    sent_key: encodeBase64(identity.sent_key),
  };
}

/**
 * Restores the vault from its serialized form, with the same checks as when unlocking a main_key.
 */
export async function deserializeVault(
  vault: SerializedVault,
): Promise<{ readonly email: string; readonly identity: Identity }> {
  return failAs('vault_unlock_failed', async () => {
    if (typeof vault.email !== 'string') throw new TypeError('Vault has no e-mail');
    const identity = await completeIdentity({
      mlkem_private: decodeBase64(vault.mlkem_priv),
      dh_private: decodeBase64(vault.dh_priv),
      sent_key: decodeBase64(vault.sent_key),
    });
    requireSame(identity, decodeBase64(vault.dh_pub), decodeBase64(vault.mlkem_pub), vault.key_id);
    return { email: vault.email, identity };
  });
}

/** Overwrites the three secrets of an identity. */
export function wipeIdentity(identity: Identity): void {
  wipe(identity.mlkem_private, identity.dh_private, identity.sent_key);
}

/**
 * Seals bytes for local storage under the session's client_key (32 bytes). `label` identifies the
 * value (the storage key's name) and is required again to open it, so that values cannot be
 * swapped. {@link openLocal} opens it.
 */
export async function sealLocal(
  clientKey: Uint8Array,
  label: string,
  plaintext: Uint8Array,
): Promise<string> {
  return failAs('vault_lock_failed', () =>
    withVaultKey(clientKey, async (primitives, key) => {
      const box = await sealBox(primitives, key, plaintext, encodeUtf8(LOCAL_LABEL + label));
      return encodeBase64(concatBytes(encodeUtf8(LOCAL_LABEL), box));
    }),
  );
}

/**
 * Opens a value sealed by {@link sealLocal} under the same key and label. Throws 'Failed to open
 * stored data' otherwise.
 */
export async function openLocal(clientKey: Uint8Array, label: string, sealed: string): Promise<Bytes> {
  return failAs('local_open_failed', () =>
    withVaultKey(clientKey, async (_primitives, key) => {
      const bytes = decodeBase64(sealed);
      const version = encodeUtf8(LOCAL_LABEL);
      if (
        bytes.length < version.length + GCM_IV_BYTES ||
        !equalBytes(bytes.subarray(0, version.length), version)
      )
        throw new RangeError('Unknown version');
      return openBox(key, bytes.subarray(version.length), encodeUtf8(LOCAL_LABEL + label));
    }),
  );
}

async function withVaultKey<T>(
  rawKey: Uint8Array,
  work: (primitives: Primitives, key: GcmKey) => Promise<T>,
): Promise<T> {
  requireSize(rawKey, VAULT_KEY_BYTES, 'Vault key');
  const primitives = await getPrimitives();
  const key = await primitives.aesGcm(rawKey);
  try {
    return await work(primitives, key);
  } finally {
    key.wipe();
  }
}

async function openSecret(key: GcmKey, sealedB64: string): Promise<Bytes> {
  return openBox(key, decodeBase64(sealedB64));
}

/** Builds an identity from its three secrets, and takes ownership of them. */
export async function completeIdentity(
  secrets: Pick<Identity, 'mlkem_private' | 'dh_private' | 'sent_key'>,
): Promise<Identity> {
  requireSize(secrets.mlkem_private, MLKEM_SEED_BYTES, 'ML-KEM seed');
  requireSize(secrets.dh_private, X25519_PRIVATE_BYTES, 'X25519 private key');
  requireSize(secrets.sent_key, SENT_KEY_BYTES, 'sent_key');
  const { mlkem1024, x25519 } = await getPrimitives();
  const [mlkem, dh_public] = await Promise.all([
    mlkem1024.fromSeed(secrets.mlkem_private),
    x25519.publicFrom(secrets.dh_private),
  ]);
  const mlkem_public = mlkem.publicKey;
  mlkem.wipe();
  return { ...secrets, mlkem_public, dh_public, key_id: await fingerprintOf({ mlkem_public, dh_public }) };
}

async function requireConsistent(identity: Identity): Promise<void> {
  const expected = await completeIdentity(identity);
  requireSame(expected, identity.dh_public, identity.mlkem_public, identity.key_id);
}

function requireSame(own: Identity, dhPublic: Uint8Array, mlkemPublic: Uint8Array, keyId: string): void {
  if (
    !equalBytes(own.dh_public, dhPublic) ||
    !equalBytes(own.mlkem_public, mlkemPublic) ||
    own.key_id !== keyId
  )
    throw new CryptoError('vault_mismatch');
}
