// Names for public keys: the short key_id that the wire carries, and the number two people compare aloud.
// [Note: SHA-1 fingerprint] key_id is SHA-1 because the specification says so (section 3). It only selects a key;
// nothing is trusted because a key_id fits. What people compare is made with SHA-256.

import { concatBytes, encodeBase64, requireSize } from './bytes.ts';
import { MLKEM_PUBLIC_BYTES, X25519_PUBLIC_BYTES } from './params.ts';
import { getPrimitives } from './primitives/select.ts';
import type { PublicKeys } from './wire.ts';

const GROUPS_PER_PARTY = 6; // 6 groups of 5 digits, 99.6 bits for each party
const GROUP_BYTES = 5; // 40 bits give one group; 2^40 is large enough beside 10^5 for the bias not to matter
const GROUP_MODULUS = 100_000;

/** Base64 of SHA-1(dh_public || mlkem_public): `fingerprint`, `key_id` and `key_used` of the wire. */
export async function fingerprintOf(keys: PublicKeys): Promise<string> {
  const { sha1 } = await getPrimitives();
  return encodeBase64(await sha1(joined(keys)));
}

/** Sixty digits in 12 groups of 5, separated by spaces; both parties see the same number. */
export async function safetyNumber(own: PublicKeys, other: PublicKeys): Promise<string> {
  const halves = await Promise.all([digitsOf(own), digitsOf(other)]);
  return halves.sort().join(' ');
}

async function digitsOf(keys: PublicKeys): Promise<string> {
  const { sha256 } = await getPrimitives();
  const hash = await sha256(joined(keys));
  const groups: string[] = [];
  for (let group = 0; group < GROUPS_PER_PARTY; group++) {
    let value = 0;
    for (const byte of hash.subarray(group * GROUP_BYTES, (group + 1) * GROUP_BYTES))
      value = value * 256 + byte;
    groups.push(String(value % GROUP_MODULUS).padStart(5, '0'));
  }
  return groups.join(' ');
}

function joined(keys: PublicKeys): Uint8Array {
  requireSize(keys.dh_public, X25519_PUBLIC_BYTES, 'X25519 public key');
  requireSize(keys.mlkem_public, MLKEM_PUBLIC_BYTES, 'ML-KEM public key');
  return concatBytes(keys.dh_public, keys.mlkem_public);
}
