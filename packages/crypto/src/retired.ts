// Retired keys, which still open old mail, sealed under the current keys (docs/crypto.md, Retired
// keys). Only opening the current vault, by password or recovery kit, gives access to them. Client
// only. Each set is bound to its generation: the order distinguishes the user's own key change in
// the key log from a change made by someone else.

import { concatBytes, decodeBase64, encodeBase64, requireSize, wipe } from './bytes.ts';
import { CryptoError, failAs } from './errors.ts';
import { openBox, sealBox } from './gcm-box.ts';
import {
  MLKEM_SEED_BYTES,
  RETIRED_INFO,
  RETIRED_LABEL,
  SENT_KEY_BYTES,
  X25519_PRIVATE_BYTES,
} from './params.ts';
import { encodeUtf8 } from './platform.ts';
import type { GcmKey, Primitives } from './primitives/port.ts';
import { getPrimitives } from './primitives/select.ts';
import { completeIdentity } from './vault.ts';
import type { Identity } from './wire.ts';

const NO_SALT = new Uint8Array(0);
const DH_AT = MLKEM_SEED_BYTES;
const SENT_AT = DH_AT + X25519_PRIVATE_BYTES;
const TOTAL_BYTES = SENT_AT + SENT_KEY_BYTES;

/** Retired keys as the server stores them. */
export type SealedRetired = {
  readonly key_id: string;
  /** Generation of the account's keys, counted from 1. */
  readonly generation: number;
  /** base64(IV12 || AES-256-GCM(seed 64 || X25519 private key 32 || sent_key 32)). */
  readonly sealed: string;
};

/** Seals retired keys under the current ones. */
export async function sealRetired(
  inUse: Pick<Identity, 'sent_key'>,
  retired: Pick<Identity, 'mlkem_private' | 'dh_private' | 'sent_key' | 'key_id'>,
  generation: number,
): Promise<SealedRetired> {
  return failAs('vault_lock_failed', () =>
    withRetiredKey(inUse.sent_key, async (primitives, key) => {
      const plain = concatBytes(retired.mlkem_private, retired.dh_private, retired.sent_key);
      try {
        requireSize(plain, TOTAL_BYTES, 'Retired keys');
        const box = await sealBox(primitives, key, plain, associatedData(retired.key_id, generation));
        return { key_id: retired.key_id, generation, sealed: encodeBase64(box) };
      } finally {
        wipe(plain);
      }
    }),
  );
}

/**
 * Opens keys sealed by {@link sealRetired}. Throws 'Vault keys do not match' when the private keys
 * are not those of `key_id`.
 */
export async function openRetired(
  inUse: Pick<Identity, 'sent_key'>,
  { key_id, generation, sealed }: SealedRetired,
): Promise<Identity> {
  return failAs('vault_unlock_failed', () =>
    withRetiredKey(inUse.sent_key, async (_primitives, key) => {
      const plain = await openBox(key, decodeBase64(sealed), associatedData(key_id, generation));
      const secrets = {
        mlkem_private: plain.slice(0, DH_AT),
        dh_private: plain.slice(DH_AT, SENT_AT),
        sent_key: plain.slice(SENT_AT),
      };
      try {
        requireSize(plain, TOTAL_BYTES, 'Retired keys');
        const identity = await completeIdentity(secrets);
        if (identity.key_id !== key_id) throw new CryptoError('vault_mismatch');
        return identity;
      } catch (error) {
        wipe(...Object.values(secrets));
        throw error;
      } finally {
        wipe(plain);
      }
    }),
  );
}

function associatedData(keyId: string, generation: number): Uint8Array {
  if (!Number.isSafeInteger(generation) || generation < 1) throw new RangeError('Not a generation');
  return encodeUtf8(`${RETIRED_LABEL}${keyId}\0${generation}`);
}

async function withRetiredKey<T>(
  sentKey: Uint8Array,
  work: (primitives: Primitives, key: GcmKey) => Promise<T>,
): Promise<T> {
  requireSize(sentKey, SENT_KEY_BYTES, 'sent_key');
  const primitives = await getPrimitives();
  const material = await primitives.hkdfSha256(sentKey);
  const key = await material.gcmKey(NO_SALT, encodeUtf8(RETIRED_INFO)).finally(() => material.wipe());
  try {
    return await work(primitives, key);
  } finally {
    key.wipe();
  }
}
