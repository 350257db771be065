// The login hash, and that it differs from the vault key of the same password.

import { expect, it } from 'vitest';
import { encodeHex } from './bytes.ts';
import { deriveLoginHash, normalizeEmail } from './login.ts';
import { deriveVaultKey } from './vault.ts';

it('trims and lowercases the address', () => {
  expect(normalizeEmail('  Alice.Ä@X.Test\n')).toBe('alice.ä@x.test');
});

it('is 64 hex digits and tells nothing of the vault key', async () => {
  const loginHash = await deriveLoginHash('Correct-Horse-9', 'Alice@x.test');
  const vaultKey = await deriveVaultKey('Correct-Horse-9', 'alice@x.test');
  expect(loginHash).toMatch(/^[0-9a-f]{64}$/);
  expect(loginHash).not.toBe(encodeHex(vaultKey));
});
