// Vaults: locking, unlocking, swapped keys, the serialized form, local storage.

import { beforeAll, describe, expect, it } from 'vitest';
import { decodeBase64, encodeBase64 } from './bytes.ts';
import { fingerprintOf } from './fingerprint.ts';
import { createMessageKey } from './message.ts';
import { makePair } from './test-subjects.ts';
import {
  deriveVaultKey,
  deserializeVault,
  type Identity,
  lockVault,
  openLocal,
  sealLocal,
  serializeVault,
  unlockVault,
  wipeIdentity,
} from './vault.ts';

const vaultKey = createMessageKey();
let alice: Identity;
let bob: Identity;

beforeAll(async () => {
  ({ alice, bob } = await makePair());
});

describe('an identity', () => {
  it('has keys of the right sizes and the fingerprint of its public keys', async () => {
    expect(alice.mlkem_private).toHaveLength(64);
    expect(alice.mlkem_public).toHaveLength(1568);
    expect([alice.dh_private, alice.dh_public, alice.sent_key].map(key => key.length)).toEqual([32, 32, 32]);
    expect(alice.key_id).toBe(await fingerprintOf(alice));
    expect(alice.key_id).not.toBe(bob.key_id);
  });

  it('can be wiped except for its public keys', () => {
    const copy = structuredClone(alice);
    wipeIdentity(copy);
    const zero = (sizeBytes: number) => new Uint8Array(sizeBytes);
    expect(copy).toEqual({ ...alice, mlkem_private: zero(64), dh_private: zero(32), sent_key: zero(32) });
  });
});

describe('a locked vault', () => {
  it('unlocks to the same identity and exposes only public keys', async () => {
    const locked = await lockVault(vaultKey, alice);
    expect(await unlockVault(vaultKey, locked)).toEqual(alice);
    expect(locked.dh_public_key).toBe(encodeBase64(alice.dh_public));
    expect(locked.mlkem_public_key).toBe(encodeBase64(alice.mlkem_public));
    expect(decodeBase64(locked.mlkem_private_key_encrypted)).toHaveLength(12 + 64 + 16);
    expect(decodeBase64(locked.dh_private_key_encrypted)).toHaveLength(12 + 32 + 16);
    expect(decodeBase64(locked.sent_key)).toHaveLength(12 + 32 + 16);
    for (const secret of [alice.mlkem_private, alice.dh_private, alice.sent_key])
      expect(JSON.stringify(locked)).not.toContain(encodeBase64(secret));
  });

  it('is different each time it is locked', async () => {
    const [one, two] = await Promise.all([lockVault(vaultKey, alice), lockVault(vaultKey, alice)]);
    expect(one.sent_key).not.toBe(two.sent_key);
  });

  it('does not unlock with another key', async () => {
    const locked = await lockVault(vaultKey, alice);
    await expect(unlockVault(createMessageKey(), locked)).rejects.toThrow(/^Failed to unlock vault$/);
    await expect(unlockVault(vaultKey.slice(1), locked)).rejects.toThrow(/^Failed to unlock vault$/);
  });

  it('is refused when the server replaces a public key or the key_id', async () => {
    const [mine, other] = await Promise.all([lockVault(vaultKey, alice), lockVault(vaultKey, bob)]);
    for (const field of ['mlkem_public_key', 'dh_public_key', 'key_id'] as const)
      await expect(unlockVault(vaultKey, { ...mine, [field]: other[field] })).rejects.toMatchObject({
        code: 'vault_mismatch',
        message: 'Vault keys do not match',
      });
  });

  it('is refused when parts of two vaults under one key are mixed', async () => {
    const [mine, other] = await Promise.all([lockVault(vaultKey, alice), lockVault(vaultKey, bob)]);
    for (const field of ['mlkem_private_key_encrypted', 'dh_private_key_encrypted'] as const)
      await expect(unlockVault(vaultKey, { ...mine, [field]: other[field] })).rejects.toThrow('do not match');
  });

  it('is refused when a field is missing or has the wrong size', async () => {
    const locked = await lockVault(vaultKey, alice);
    for (const field of Object.keys(locked) as (keyof typeof locked)[]) {
      await expect(unlockVault(vaultKey, { ...locked, [field]: undefined } as never)).rejects.toThrow();
      await expect(unlockVault(vaultKey, { ...locked, [field]: 'AAAA' })).rejects.toThrow();
    }
  });

  it('cannot be made of keys that do not match', async () => {
    await expect(lockVault(vaultKey, { ...alice, dh_public: bob.dh_public })).rejects.toThrow('do not match');
    await expect(lockVault(vaultKey, { ...alice, key_id: bob.key_id })).rejects.toThrow('do not match');
  });
});

describe('the serialized vault', () => {
  it('has the field names of the specification and round-trips', async () => {
    const serialized = serializeVault('alice@x.test', alice);
    expect(Object.keys(serialized).sort()).toEqual(
      ['email', 'key_id', 'dh_pub', 'dh_priv', 'mlkem_pub', 'mlkem_priv', 'sent_key'].sort(),
    );
    const stored = JSON.parse(JSON.stringify(serialized));
    expect(await deserializeVault(stored)).toEqual({ email: 'alice@x.test', identity: alice });
  });

  it('is refused when its parts do not match or are missing', async () => {
    const serialized = serializeVault('alice@x.test', alice);
    const other = serializeVault('bob@x.test', bob);
    await expect(deserializeVault({ ...serialized, mlkem_pub: other.mlkem_pub })).rejects.toThrow(
      'do not match',
    );
    await expect(deserializeVault({ ...serialized, dh_priv: other.dh_priv })).rejects.toThrow('do not match');
    await expect(deserializeVault({ email: 'a' } as never)).rejects.toThrow('Failed to unlock vault');
    await expect(deserializeVault({ ...serialized, email: 7 } as never)).rejects.toThrow('Failed to unlock');
  });
});

describe('local storage', () => {
  const clientKey = createMessageKey();
  const plain = new TextEncoder().encode('{"a":1}');

  it('opens under the same key and label, and is different each time it is sealed', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => sealLocal(clientKey, 'vault', plain)));
    expect(one).not.toBe(two);
    expect(await openLocal(clientKey, 'vault', one ?? '')).toEqual(plain);
    expect(decodeBase64(one ?? '')).toHaveLength(4 + 12 + plain.length + 16);
  });

  it('is refused under another key or label, or when it is not a sealed value', async () => {
    const sealed = await sealLocal(clientKey, 'vault', plain);
    const text = /^Failed to open stored data$/;
    await expect(openLocal(clientKey, 'auth_backup', sealed)).rejects.toThrow(text);
    await expect(openLocal(createMessageKey(), 'vault', sealed)).rejects.toThrow(text);
    for (const other of ['', 'AAAA', '{}', encodeBase64(new Uint8Array(64))])
      await expect(openLocal(clientKey, 'vault', other)).rejects.toThrow(text);
  });
});

it('derives the vault key from the normalized address and password', async () => {
  const [one, two] = [
    await deriveVaultKey('Passw\u00f6rt1', 'alice@x.test'),
    await deriveVaultKey('Passwo\u0308rt1', ' ALICE@x.test '),
  ];
  expect(one).toEqual(two);
  expect(one).toHaveLength(32);
});
