// The login hash, and its difference from the vault key of the same password.

import { expect, it } from 'vitest';
import { encodeHex } from './bytes.ts';
import { deriveLoginHash, normalizeEmail } from './login.ts';
import { deriveVaultKey } from './vault.ts';

it('the normalized address is trimmed and lowercase', () => {
  expect(normalizeEmail('  Alice.Ä@X.Test\n')).toBe('alice.ä@x.test');
});

it('the login hash is 64 hex digits and differs from the vault key', async () => {
  const loginHash = await deriveLoginHash('Correct-Horse-9', 'Alice@x.test');
  const vaultKey = await deriveVaultKey('Correct-Horse-9', 'alice@x.test');
  expect(loginHash).toMatch(/^[0-9a-f]{64}$/);
  expect(loginHash).not.toBe(encodeHex(vaultKey));
});
