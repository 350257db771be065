// The common form of every authenticated value: IV (12 bytes) || AES-256-GCM ciphertext || tag (16
// bytes). The IV is random, so one key may seal many values, as long as they are far fewer than
// 2^32.

import { concatBytes } from './bytes.ts';
import { GCM_IV_BYTES, GCM_TAG_BYTES } from './params.ts';
import type { Bytes } from './platform.ts';
import type { GcmKey, Primitives } from './primitives/port.ts';

const NOTHING = new Uint8Array(0);

/** Seals `plaintext` with a fresh IV. {@link openBox} opens it. */
export async function sealBox(
  primitives: Primitives,
  key: GcmKey,
  plaintext: Uint8Array,
  associatedData: Uint8Array = NOTHING,
): Promise<Bytes> {
  const iv = primitives.random(GCM_IV_BYTES);
  return concatBytes(iv, await key.seal(iv, plaintext, associatedData));
}

/**
 * Opens a value sealed by {@link sealBox}. Throws when it is too short or its tag does not match.
 */
export async function openBox(
  key: GcmKey,
  box: Uint8Array,
  associatedData: Uint8Array = NOTHING,
): Promise<Bytes> {
  if (box.length < GCM_IV_BYTES + GCM_TAG_BYTES) throw new RangeError('Sealed value is too short');
  return key.open(box.subarray(0, GCM_IV_BYTES), box.subarray(GCM_IV_BYTES), associatedData);
}
