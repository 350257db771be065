// Both implementations of every primitive: published vectors, and agreement with each other on
// random input.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Primitives } from './port.ts';
import { loadPrimitives, randomBytes } from './select.ts';

const rfc = JSON.parse(readFileSync(new URL('../vectors/rfc.json', import.meta.url), 'utf8'));
const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'));
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const TINY = { passes: 1, memoryKib: 64, lanes: 1, outputBytes: 32 };
const bytes = (sizeBytes: number) => fc.uint8Array({ minLength: sizeBytes, maxLength: sizeBytes });
const some = fc.uint8Array({ maxLength: 100 });

let native: Primitives;
let node: Primitives;
let javascript: Primitives;

beforeAll(async () => {
  const all = <T>(origin: T) => ({ classic: origin, x25519: origin, mlkem1024: origin, argon2id: origin });
  native = await loadPrimitives(all('native' as const));
  node = await loadPrimitives({ node: true });
  javascript = await loadPrimitives(all('javascript' as const));
});

describe.each(['native', 'node', 'javascript'])('%s primitives', origin => {
  const primitives = () => ({ native, node, javascript })[origin] as Primitives;

  it('match the HKDF vectors of RFC 5869', async () => {
    expect(rfc.hkdf_sha256.length).toBeGreaterThan(0);
    for (const { ikm, salt, info, okm } of rfc.hkdf_sha256) {
      const key = await primitives().hkdfSha256(hex(ikm));
      expect(toHex(await key.bytes(hex(salt), hex(info), okm.length / 2))).toBe(okm);
    }
  });

  it('match the X25519 vectors of RFC 7748', async () => {
    for (const vector of rfc.x25519_shared) {
      const key = await primitives().x25519.load(hex(vector.private));
      expect(toHex(await key.sharedWith(hex(vector.public)))).toBe(vector.shared);
    }
    for (const vector of rfc.x25519_public)
      expect(toHex(await primitives().x25519.publicFrom(hex(vector.private)))).toBe(vector.public);
  });

  it('match the hash vectors of FIPS 180', async () => {
    for (const { text, sha1, sha256 } of rfc.hashes) {
      const data = new TextEncoder().encode(text);
      expect(toHex(await primitives().sha1(data))).toBe(sha1);
      expect(toHex(await primitives().sha256(data))).toBe(sha256);
    }
  });

  it('reject a low-order point or return zeros', async () => {
    const { key } = await primitives().x25519.ephemeral();
    for (const low of ['00'.repeat(32), `01${'00'.repeat(31)}`]) {
      const secret = await key.sharedWith(hex(low)).catch(() => new Uint8Array(32));
      expect(toHex(secret)).toBe('00'.repeat(32));
    }
  });

  it('refuse a damaged AES-GCM value and wrong CBC padding', async () => {
    const [key, iv] = [randomBytes(32), randomBytes(12)];
    const gcm = await primitives().aesGcm(key);
    const sealed = await gcm.seal(iv, Uint8Array.of(1, 2), Uint8Array.of(3));
    await expect(gcm.open(iv, sealed, Uint8Array.of(4))).rejects.toThrow();
    await expect(gcm.open(iv, sealed.subarray(1), Uint8Array.of(3))).rejects.toThrow();
    // With a fixed IV, the first block ends in a zero, which is never valid padding. With a random
    // IV it is valid once in 256 times.
    const cbcIv = randomBytes(16);
    const block = await primitives().aesCbcEncrypt(key, cbcIv, new Uint8Array(16));
    await expect(primitives().aesCbcDecrypt(key, cbcIv, block.subarray(0, 16))).rejects.toThrow();
  });

  it('return a different secret, not an error, for a wrong ML-KEM ciphertext', async () => {
    const key = await primitives().mlkem1024.fromSeed(randomBytes(64));
    const { ciphertext, sharedSecret } = await primitives().mlkem1024.encapsulate(key.publicKey);
    ciphertext[5] = (ciphertext[5] as number) ^ 1;
    const other = await key.decapsulate(ciphertext);
    expect(other).toHaveLength(32);
    expect(other).not.toEqual(sharedSecret);
    await expect(key.decapsulate(ciphertext.subarray(1))).rejects.toThrow(RangeError);
  });

  it('leave their inputs unchanged', async () => {
    const [seed, privateKey, material] = [randomBytes(64), randomBytes(32), randomBytes(64)];
    const before = [seed, privateKey, material].map(input => input.slice());
    const key = await primitives().mlkem1024.fromSeed(seed);
    const dh = await primitives().x25519.load(privateKey);
    const hkdf = await primitives().hkdfSha256(material);
    const gcm = await primitives().aesGcm(privateKey);
    await key.decapsulate((await primitives().mlkem1024.encapsulate(key.publicKey)).ciphertext);
    for (const loaded of [key, dh, hkdf, gcm]) loaded.wipe();
    expect([seed, privateKey, material]).toEqual(before);
  });
});

describe.each(['native', 'node'])('%s and JavaScript agree', origin => {
  const host = () => (origin === 'node' ? node : native);

  it('on hashes and HKDF', () =>
    fc.assert(
      fc.asyncProperty(some, some, some, async (data, salt, info) => {
        expect(await host().sha1(data)).toEqual(await javascript.sha1(data));
        expect(await host().sha256(data)).toEqual(await javascript.sha256(data));
        const [left, right] = [await host().hkdfSha256(data), await javascript.hkdfSha256(data)];
        expect(await left.bytes(salt, info, 45)).toEqual(await right.bytes(salt, info, 45));
        const [iv, text] = [new Uint8Array(12), Uint8Array.of(1)];
        const sealed = await (await left.gcmKey(salt, info)).seal(iv, text, info);
        expect(await (await right.gcmKey(salt, info)).open(iv, sealed, info)).toEqual(text);
      }),
    ));

  it('on AES', () =>
    fc.assert(
      fc.asyncProperty(bytes(32), bytes(16), some, some, async (key, iv, text, ad) => {
        const [left, right] = [await host().aesGcm(key), await javascript.aesGcm(key)];
        const sealed = await left.seal(iv.subarray(4), text, ad);
        expect(await right.seal(iv.subarray(4), text, ad)).toEqual(sealed);
        expect(await right.open(iv.subarray(4), sealed, ad)).toEqual(text);
        const body = await host().aesCbcEncrypt(key, iv, text);
        expect(await javascript.aesCbcEncrypt(key, iv, text)).toEqual(body);
        expect(await javascript.aesCbcDecrypt(key, iv, body)).toEqual(text);
        expect(await host().aesCbcDecrypt(key, iv, body)).toEqual(text);
      }),
    ));

  it('on X25519', () =>
    fc.assert(
      fc.asyncProperty(bytes(32), async privateKey => {
        expect(await host().x25519.publicFrom(privateKey)).toEqual(
          await javascript.x25519.publicFrom(privateKey),
        );
        const [left, right] = await Promise.all([host().x25519.ephemeral(), javascript.x25519.ephemeral()]);
        expect(await left.key.sharedWith(right.publicKey)).toEqual(
          await right.key.sharedWith(left.publicKey),
        );
      }),
      { numRuns: 20 },
    ));

  it('on ML-KEM-1024', () =>
    fc.assert(
      fc.asyncProperty(bytes(64), async seed => {
        const [left, right] = [
          await host().mlkem1024.fromSeed(seed),
          await javascript.mlkem1024.fromSeed(seed),
        ];
        expect(left.publicKey).toEqual(right.publicKey);
        for (const maker of [native, javascript]) {
          const { ciphertext, sharedSecret } = await maker.mlkem1024.encapsulate(left.publicKey);
          expect(await left.decapsulate(ciphertext)).toEqual(sharedSecret);
          expect(await right.decapsulate(ciphertext)).toEqual(sharedSecret);
        }
        const noise = new Uint8Array(1568).fill(seed[0] as number);
        expect(await left.decapsulate(noise)).toEqual(await right.decapsulate(noise));
      }),
      { numRuns: 15 },
    ));

  it('on Argon2id, also for non-ASCII passwords', async () => {
    for (const password of ['x', 'Passw0rdé', 'пароль-Ñ-👋', 'a'.repeat(200)]) {
      const [secret, salt] = [new TextEncoder().encode(password), new Uint8Array(20).fill(3)];
      const expected = await host().argon2id(secret, salt, TINY);
      expect(await javascript.argon2id(secret, salt, TINY)).toEqual(expected);
    }
  });
});
