// The account's keys under another password and under a recovery phrase: they are always the same
// keys, and the open vault is never lost.
import { beforeAll, expect, test } from 'vitest';
import {
  createAccount,
  hashPassword,
  isPassword,
  makeKit,
  openByKit,
  proveKit,
  rewrapVault,
} from './account-keys.ts';
import { lock, vaultFacts } from './vault-keeper.ts';

const email = 'alice@keyfold.test';
const first = 'Correct-Horse-9';
const second = 'Second-Horse-8';

let made: Awaited<ReturnType<typeof createAccount>>;
beforeAll(async () => {
  made = await createAccount(email, first, () => undefined);
});

test('a password is valid when it opens the account’s keys', async () => {
  expect(await hashPassword(first)).toBe(made.loginHash);
  expect(await isPassword(first, made.mainKey)).toBe(true);
  expect(await isPassword(second, made.mainKey)).toBe(false);
  expect(vaultFacts().keyId).toBe(made.mainKey.key_id);
});

test('a changed password wraps the same keys', async () => {
  const { loginHash, mainKey } = await rewrapVault(second);
  expect(loginHash).not.toBe(made.loginHash);
  expect(mainKey.key_id).toBe(made.mainKey.key_id);
  expect(mainKey.mlkem_private_key_encrypted).not.toBe(made.mainKey.mlkem_private_key_encrypted);
  expect(await isPassword(second, mainKey)).toBe(true);
});

test('a recovery phrase opens its kit’s keys under a new password, and another phrase does not', async () => {
  const { phrase, kit } = await makeKit();
  expect(phrase.split(' ')).toHaveLength(24);
  expect(await proveKit(email, phrase.toUpperCase())).toBe(kit.proof);
  const other = await makeKit();
  lock();
  await expect(openByKit(email, other.phrase, kit.main_key, second)).rejects.toThrow(
    'Failed to unlock vault',
  );
  expect(() => vaultFacts()).toThrow('Vault not found');
  const { mainKey } = await openByKit(email, phrase, kit.main_key, second);
  expect(mainKey.key_id).toBe(made.mainKey.key_id);
  expect(vaultFacts()).toMatchObject({ email, keyId: made.mainKey.key_id });
});
