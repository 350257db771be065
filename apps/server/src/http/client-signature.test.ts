import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMasterKey } from '../base/master-key.ts';
import { createClientKey, createSignedClient, signClient } from './client-signature.ts';

const masterKey = createMasterKey(Buffer.alloc(32, 7));
const LIST = '# Keyfold 0.1.0, built of 00\n';

const isSigned = ({ list, key, signature }: ReturnType<typeof signClient>): boolean =>
  verify(
    null,
    Buffer.from(`keyfold web client\n${list}`),
    createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'base64').toString('base64url') },
      format: 'jwk',
    }),
    Buffer.from(signature, 'base64'),
  );

test('all machines of a service sign with the same key, and other services use other keys', () => {
  const signed = signClient(createClientKey(masterKey), LIST);
  expect(isSigned(signed)).toBe(true);
  expect(signClient(createClientKey(createMasterKey(Buffer.alloc(32, 7))), LIST)).toEqual(signed);
  expect(signClient(createClientKey(createMasterKey(Buffer.alloc(32, 8))), LIST).key).not.toBe(signed.key);
  expect(Buffer.from(signed.key, 'base64')).toHaveLength(32);
  expect(isSigned({ ...signed, list: `${LIST}x` })).toBe(false);
});

test('a list is signed again when it changes, and no list exists before the first build', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'kf-list-'));
  const file = path.join(folder, 'hashes.txt');
  try {
    const find = createSignedClient(masterKey, file);
    expect(find()).toBeNull();
    writeFileSync(file, LIST);
    utimesSync(file, 1, 1);
    const first = find();
    expect(first?.list).toBe(LIST);
    expect(find()).toBe(first);
    writeFileSync(file, `${LIST}x`);
    utimesSync(file, 2, 2);
    const second = find();
    expect(second?.list).toBe(`${LIST}x`);
    expect(second !== null && isSigned(second)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
