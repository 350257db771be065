// Whoever has keys never becomes somebody without because an answer is missing.
import type { AddressKeys } from '@keyfold/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import { findKeys, forgetKeys } from './recipient-keys.ts';

const askKeys = vi.hoisted(() => vi.fn<(addresses: readonly string[]) => Promise<AddressKeys[]>>());
vi.mock('./key-log.ts', () => ({ askKeys }));
vi.mock('./address-book.ts', () => ({
  findBook: () => null,
  loadAddressBook: async () => undefined,
  refreshAddressBook: async () => undefined,
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
