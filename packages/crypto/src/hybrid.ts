// The hybrid key exchange: ML-KEM-1024 and X25519 together produce the key that wraps a message
// key. [Note: Hybrid] K = HKDF-SHA256(ikm = kem_secret || dh_secret, salt, info = "message-key",
// 32). An attacker must break both. docs/wire-format.md#wraps-for-others fixes the order of the two
// secrets. ML-KEM never reports a wrong ciphertext (implicit rejection): the failure appears when
// the wrapped key's tag does not match. This file wipes the secrets it creates and leaves callers'
// keys alone. docs/spec-map.md 9.29, 9.30.

import { concatBytes, isAllZero, requireSize, wipe } from './bytes.ts';
import { CryptoError } from './errors.ts';
import { MLKEM_CIPHERTEXT_BYTES, MLKEM_PUBLIC_BYTES, WRAP_INFO, X25519_PUBLIC_BYTES } from './params.ts';
import { type Bytes, encodeUtf8 } from './platform.ts';
import type { GcmKey, HkdfKey, MlKemKey, Primitives, X25519Key } from './primitives/port.ts';
import type { PublicKeys } from './wire.ts';

const INFO = encodeUtf8(WRAP_INFO);

/**
 * Returns a fresh wrap key for `recipient`, and the KEM ciphertext from which only the recipient
 * can derive that key.
 */
export async function agreeAsSender(
  primitives: Primitives,
  sender: X25519Key,
  recipient: PublicKeys,
  salt: Uint8Array,
): Promise<{ readonly wrapKey: GcmKey; readonly ciphertext: Bytes }> {
  requireSize(recipient.mlkem_public, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
  const [dhSecret, { ciphertext, sharedSecret }] = await allOrWipe(
    agreeDh(sender, recipient.dh_public),
    primitives.mlkem1024.encapsulate(recipient.mlkem_public),
  );
  try {
    return { wrapKey: await hybridKey(primitives, sharedSecret, dhSecret, salt), ciphertext };
  } finally {
    wipe(dhSecret, sharedSecret);
  }
}

/**
 * Returns the wrap key as derived by the reader. `dhSecret` stays the caller's (it may be cached).
 */
export async function agreeAsReader(
  primitives: Primitives,
  reader: MlKemKey,
  ciphertext: Uint8Array,
  dhSecret: Promise<Uint8Array>,
  salt: Uint8Array,
): Promise<GcmKey> {
  requireSize(ciphertext, MLKEM_CIPHERTEXT_BYTES, 'ML-KEM ciphertext');
  const [kemSecret, dh] = await Promise.all([reader.decapsulate(ciphertext), dhSecret]);
  try {
    return await hybridKey(primitives, kemSecret, dh, salt);
  } finally {
    wipe(kemSecret);
  }
}

/**
 * Performs X25519 and refuses an all-zero result: 'Failed to generate dh shared secret'. [Note: One
 * spelling] X25519 ignores the top bit of a public key. No honest key has it set, and refusing it
 * leaves each key a single encoding on the wire.
 */
export async function agreeDh(own: X25519Key, peerPublic: Uint8Array): Promise<Bytes> {
  let secret: Bytes;
  try {
    requireSize(peerPublic, X25519_PUBLIC_BYTES, 'X25519 public key');
    if (((peerPublic[X25519_PUBLIC_BYTES - 1] as number) & 0x80) !== 0)
      throw new RangeError('Top bit is set');
    secret = await own.sharedWith(peerPublic);
  } catch (error) {
    throw new CryptoError('dh_failed', error);
  }
  if (isAllZero(secret)) throw new CryptoError('dh_failed', new Error('All-zero shared secret'));
  return secret;
}

/** Returns the wrap key of the self path, from the loaded sent_key. */
export function selfWrapKey(sentKey: HkdfKey, salt: Uint8Array): Promise<GcmKey> {
  return sentKey.gcmKey(salt, INFO);
}

async function hybridKey(
  primitives: Primitives,
  kemSecret: Uint8Array,
  dhSecret: Uint8Array,
  salt: Uint8Array,
): Promise<GcmKey> {
  const material = concatBytes(kemSecret, dhSecret);
  try {
    const key = await primitives.hkdfSha256(material);
    try {
      return await key.gcmKey(salt, INFO);
    } finally {
      key.wipe();
    }
  } finally {
    wipe(material);
  }
}

// Waits for both even when one fails, so that the other's secret is wiped too.
async function allOrWipe(
  dh: Promise<Bytes>,
  kem: Promise<{ readonly ciphertext: Bytes; readonly sharedSecret: Bytes }>,
): Promise<[Bytes, { readonly ciphertext: Bytes; readonly sharedSecret: Bytes }]> {
  const [left, right] = await Promise.allSettled([dh, kem]);
  if (left.status === 'fulfilled' && right.status === 'fulfilled') return [left.value, right.value];
  if (left.status === 'fulfilled') wipe(left.value);
  if (right.status === 'fulfilled') wipe(right.value.sharedSecret);
  throw left.status === 'rejected' ? left.reason : (right as PromiseRejectedResult).reason;
}
