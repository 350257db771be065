// Behavior specific to Node's shortcuts: large inputs go to WebCrypto, keys are copied and wiped,
// and a host without the module never gets them. The agreement, wycheproof, damage and vectors
// tests show that their results are identical.

import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Primitives } from './port.ts';
import { loadPrimitives, randomBytes } from './select.ts';

const LARGE_BYTES = 65_537;
let node: Primitives;
let native: Primitives;

beforeAll(async () => {
  node = await loadPrimitives({ node: true });
  native = await loadPrimitives({ classic: 'native', x25519: 'native', mlkem1024: 'native' });
});
afterEach(() => vi.restoreAllMocks());

it.each([0, 1, 65_536, LARGE_BYTES])(
  '%i bytes give the same result as WebCrypto, both ways',
  async sizeBytes => {
    const [key, iv, data] = [randomBytes(32), randomBytes(16), randomBytes(sizeBytes)];
    expect(await node.sha256(data)).toEqual(await native.sha256(data));
    expect(await node.sha1(data)).toEqual(await native.sha1(data));
    const body = await node.aesCbcEncrypt(key, iv, data);
    expect(body).toEqual(await native.aesCbcEncrypt(key, iv, data));
    expect(await node.aesCbcDecrypt(key, iv, body)).toEqual(data);
    const [left, right] = [await node.aesGcm(key), await native.aesGcm(key)];
    const sealed = await left.seal(iv.subarray(0, 12), data, iv);
    expect(sealed).toEqual(await right.seal(iv.subarray(0, 12), data, iv));
    expect(await left.open(iv.subarray(0, 12), sealed, iv)).toEqual(data);
  },
);

it('small inputs bypass WebCrypto, large ones use it', async () => {
  const digest = vi.spyOn(globalThis.crypto.subtle, 'digest');
  await node.sha256(new Uint8Array(100));
  expect(digest).not.toHaveBeenCalled();
  await node.sha256(new Uint8Array(LARGE_BYTES));
  expect(digest).toHaveBeenCalledTimes(1);
});

it('a loaded key is independent of its source and unusable once wiped', async () => {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const expected = await (await native.aesGcm(key)).seal(iv, iv, iv);
  const loaded = await node.aesGcm(key);
  key.fill(0);
  expect(await loaded.seal(iv, iv, iv)).toEqual(expected);
  loaded.wipe();
  expect(await loaded.seal(iv, iv, iv)).not.toEqual(expected);
});

it('results own their buffers, so that they can be transferred between threads', async () => {
  const { publicKey } = await node.x25519.ephemeral();
  const reader = await native.mlkem1024.fromSeed(randomBytes(64));
  const { ciphertext, sharedSecret } = await node.mlkem1024.encapsulate(reader.publicKey);
  const hash = await node.sha256(new Uint8Array(1));
  for (const bytes of [publicKey, ciphertext, sharedSecret, hash])
    expect(bytes.buffer.byteLength).toBe(bytes.length);
});

it('wrong sizes are refused', async () => {
  await expect(node.aesGcm(new Uint8Array(16))).rejects.toThrow();
  await expect(
    node.aesCbcEncrypt(new Uint8Array(32), new Uint8Array(12), new Uint8Array(1)),
  ).rejects.toThrow();
  await expect(node.mlkem1024.encapsulate(new Uint8Array(1567))).rejects.toThrow();
  const { key } = await node.x25519.ephemeral();
  await expect(key.sharedWith(new Uint8Array(31))).rejects.toThrow();
});

it('a host without the module falls back, and fails when the module is required', async () => {
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  await expect(loadPrimitives({ node: true })).rejects.toThrow('no Node');
  const digest = vi.spyOn(globalThis.crypto.subtle, 'digest');
  await (await loadPrimitives()).sha256(new Uint8Array(1));
  expect(digest).toHaveBeenCalled();
});
