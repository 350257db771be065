// The one shape of every authenticated value: IV (12 bytes) || AES-256-GCM ciphertext || tag (16 bytes).
// The IV is random, so one key may seal many values as long as it seals far fewer than 2^32.

import { concatBytes } from './bytes.ts';
import { GCM_IV_BYTES, GCM_TAG_BYTES } from './params.ts';
import type { Bytes } from './platform.ts';
import type { GcmKey, Primitives } from './primitives/port.ts';

const NOTHING = new Uint8Array(0);

/** Seals `plaintext` with a fresh IV. Opened by {@link openBox}. */
export async function sealBox(
  primitives: Primitives,
  key: GcmKey,
  plaintext: Uint8Array,
  associatedData: Uint8Array = NOTHING,
): Promise<Bytes> {
  const iv = primitives.random(GCM_IV_BYTES);
  return concatBytes(iv, await key.seal(iv, plaintext, associatedData));
}

/** Opens what {@link sealBox} sealed; throws when too short or when the tag does not fit. */
export async function openBox(
  key: GcmKey,
  box: Uint8Array,
  associatedData: Uint8Array = NOTHING,
): Promise<Bytes> {
  if (box.length < GCM_IV_BYTES + GCM_TAG_BYTES) throw new RangeError('Sealed value is too short');
  return key.open(box.subarray(0, GCM_IV_BYTES), box.subarray(GCM_IV_BYTES), associatedData);
}
