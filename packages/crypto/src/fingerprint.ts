// Identifiers for public keys: the short key_id on the wire, and the safety number two people
// compare. [Note: SHA-1 fingerprint] key_id is SHA-1 because the specification says so (section 3).
// It only selects a key; a matching key_id never establishes trust. The number that people compare
// uses SHA-256.

import { concatBytes, encodeBase64, requireSize } from './bytes.ts';
import { MLKEM_PUBLIC_BYTES, SHARE_PROOF_CHARACTERS, X25519_PUBLIC_BYTES } from './params.ts';
import { getPrimitives } from './primitives/select.ts';
import type { PublicKeys } from './wire.ts';

const GROUPS_PER_PARTY = 6; // 6 groups of 5 digits: 99.6 bits per party
const GROUP_BYTES = 5; // 40 bits per group; 2^40 is so much larger than 10^5 that the bias does not matter
const GROUP_MODULUS = 100_000;
const PROOF_BYTES = 13; // 104 bits; the last four are dropped
const PROOF_SPARE_BITS = 4n;
const BASE32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns base64 of SHA-1(dh_public || mlkem_public): `fingerprint`, `key_id` and `key_used` on the
 * wire.
 */
export async function fingerprintOf(keys: PublicKeys): Promise<string> {
  const { sha1 } = await getPrimitives();
  return encodeBase64(await sha1(joined(keys)));
}

/** Returns base64 of SHA-256(dh_public || mlkem_public): the value pinned for a contact's keys. */
export async function keyDigest(keys: PublicKeys): Promise<string> {
  const { sha256 } = await getPrimitives();
  return encodeBase64(await sha256(joined(keys)));
}

/**
 * Returns twenty letters and digits with 100 bits of the digest. A share code carries them beside
 * the server's part, so that the server cannot answer with other keys. Crockford's base 32, highest
 * bits first.
 */
export async function shareProof(keys: PublicKeys): Promise<string> {
  const { sha256 } = await getPrimitives();
  const hash = await sha256(joined(keys));
  let bits = 0n;
  for (const byte of hash.subarray(0, PROOF_BYTES)) bits = bits * 256n + BigInt(byte);
  bits >>= PROOF_SPARE_BITS;
  let text = '';
  while (text.length < SHARE_PROOF_CHARACTERS) {
    text = (BASE32[Number(bits & 31n)] ?? '') + text;
    bits >>= 5n;
  }
  return text;
}

/**
 * Returns sixty digits in 12 groups of 5, separated by spaces; both parties see the same number.
 */
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
