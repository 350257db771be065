// Whoever has keys never becomes somebody without because an answer is missing.
import type { AddressKeys } from '@keyfold/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { findKeys, forgetKeys, type KnownKeys, trustOf } from './recipient-keys.ts';

const askKeys = vi.hoisted(() => vi.fn<(addresses: readonly string[]) => Promise<AddressKeys[]>>());
vi.mock('./key-log.ts', () => ({ askKeys }));
vi.mock('./address-book.ts', () => ({
  findBook: () => null,
  loadAddressBook: async () => undefined,
  refreshAddressBook: async () => undefined,
}));
vi.mock('./current-user.ts', () => ({
  findUser: () => ({ email: 'alice@new.test', kdf_email: 'alice@keyfold.test', addresses: ['al@new.test'] }),
}));
vi.mock('../crypto/key-client.ts', () => ({
  keys: () => ({
    digestKeys: async (list: unknown[]) => list.map(() => 'digest'),
    ownKeyDigest: async () => 'own',
  }),
}));

const bob = { email: 'bob@keyfold.test', fingerprint: 'a' } as AddressKeys;

beforeEach(() => forgetKeys([bob.email, 'cat@keyfold.test']));

test('an address that the answer leaves out is an error, not somebody without keys', async () => {
  askKeys.mockResolvedValueOnce([bob]);
  await expect(findKeys([bob.email, 'cat@keyfold.test'])).rejects.toThrow('Something failed');
});

test('keys that are forgotten while they are asked for are still the answer', async () => {
  askKeys.mockImplementationOnce(async () => {
    queueMicrotask(() => forgetKeys([bob.email]));
    return [bob];
  });
  expect(await findKeys(['Bob@keyfold.test'])).toEqual([{ ...bob, digest: 'digest' }]);
});

test('one’s own addresses have one’s own keys or none that are used, with a tag and the former one too', async () => {
  askKeys.mockResolvedValueOnce([bob]);
  await findKeys([bob.email]);
  const strange = { ...bob, digest: 'strange' } as KnownKeys;
  for (const email of ['alice@new.test', 'Al+shop@new.test', 'alice@keyfold.test']) {
    expect(trustOf(email, { ...strange, digest: 'own' } as KnownKeys)).toBe('sealed');
    expect(trustOf(email, strange)).toBe('key_changed');
    expect(trustOf(email, { email, plaintext: true })).toBe('key_changed');
  }
  expect(trustOf('bob@keyfold.test', strange)).not.toBe('key_changed');
});
