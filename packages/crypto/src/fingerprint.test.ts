// Fingerprints and safety numbers.

import { createHash } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { fingerprintOf, keyDigest, safetyNumber, shareProof } from './fingerprint.ts';
import { makePair } from './test-subjects.ts';
import { createIdentity, type Identity } from './vault.ts';

let alice: Identity;
let bob: Identity;

beforeAll(async () => {
  ({ alice, bob } = await makePair());
});

it('the fingerprint is SHA-1 over the X25519 key, then the ML-KEM key', async () => {
  const hash = createHash('sha1').update(alice.dh_public).update(alice.mlkem_public);
  expect(await fingerprintOf(alice)).toBe(hash.digest('base64'));
});

it('the fingerprint refuses keys of the wrong size', async () => {
  await expect(fingerprintOf({ ...alice, dh_public: new Uint8Array(31) })).rejects.toThrow(RangeError);
});

it('the safety number is the same 12 groups of 5 digits for both parties', async () => {
  const number = await safetyNumber(alice, bob);
  expect(number).toMatch(/^\d{5}( \d{5}){11}$/);
  expect(await safetyNumber(bob, alice)).toBe(number);
});

it('the safety number changes with either key of either party', async () => {
  const number = await safetyNumber(alice, bob);
  const other = await createIdentity();
  const changes = [
    [other, bob],
    [alice, other],
    [{ ...alice, dh_public: other.dh_public }, bob],
    [{ ...alice, mlkem_public: other.mlkem_public }, bob],
  ] as const;
  for (const [own, peer] of changes) expect(await safetyNumber(own, peer)).not.toBe(number);
});

it('the safety number is derived from the SHA-256 of each party’s keys', async () => {
  const digits = (keys: Identity) => {
    const hash = createHash('sha256').update(keys.dh_public).update(keys.mlkem_public).digest();
    const group = (i: number) => String(hash.readUIntBE(i * 5, 5) % 100_000).padStart(5, '0');
    return Array.from({ length: 6 }, (_, i) => group(i)).join(' ');
  };
  const parts = [digits(alice), digits(bob)].sort();
  expect(await safetyNumber(alice, bob)).toBe(parts.join(' '));
});

// Known answers for keys of repeated bytes, computed independently of this code.
const filled = (dh: number, mlkem: number) => ({
  dh_public: new Uint8Array(32).fill(dh),
  mlkem_public: new Uint8Array(1568).fill(mlkem),
});

it('the safety number, key digest and share proof match known answers', async () => {
  expect(await safetyNumber(filled(1, 2), filled(3, 4))).toBe(
    '84506 04458 64031 78033 37075 89234 86061 92472 01946 66555 77411 60658',
  );
  expect(await keyDigest(filled(1, 2))).toBe('R22dAxr2hUp2KlXMDBT/JtglQ5ESQjpu81sfZczyKHo=');
  expect(await shareProof(filled(1, 2))).toBe('8XPST0RTYT2MMXHAAQ60');
});

it('the share proof is the first 100 bits of the key digest', async () => {
  const proof = await shareProof(alice);
  expect(proof).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
  expect(await shareProof(bob)).not.toBe(proof);
  const other = await createIdentity();
  expect(await shareProof({ ...alice, mlkem_public: other.mlkem_public })).not.toBe(proof);
  expect(await shareProof({ ...alice, dh_public: other.dh_public })).not.toBe(proof);
});
