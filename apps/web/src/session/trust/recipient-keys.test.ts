// A recipient with keys is never treated as one without because a response is missing.
import type { AddressKeys } from '@keyfold/contract';
import { beforeEach, expect, test, vi } from 'vitest';
import type { MessageRecipient, OutgoingMessage } from '../../crypto/mail/outgoing-message.ts';
import { emptyBook, markMismatch } from './pins.ts';
import { findKeys, forgetKeys, type KnownKeys, sealToPinned, trustOf } from './recipient-keys.ts';

const askKeys = vi.hoisted(() => vi.fn<(addresses: readonly string[]) => Promise<AddressKeys[]>>());
vi.mock('./key-log.ts', () => ({ askKeys }));
const book = vi.hoisted(() => ({ known: null as unknown, stored: null as unknown }));
const sealOutgoing = vi.hoisted(() => vi.fn());
vi.mock('./address-book.ts', () => ({
  findBook: () => book.known,
  loadAddressBook: async () => book.known,
  refreshAddressBook: async () => {
    book.known = book.stored;
  },
}));
vi.mock('../state/current-user.ts', () => ({
  findUser: () => ({ email: 'alice@new.test', kdf_email: 'alice@keyfold.test', addresses: ['al@new.test'] }),
}));
vi.mock('../../crypto/key-client.ts', () => ({
  keys: () => ({
    digestKeys: async (list: unknown[]) => list.map(() => 'digest'),
    ownKeyDigest: async () => 'own',
    sealOutgoing,
  }),
}));

const bob = { email: 'bob@keyfold.test', fingerprint: 'a' } as AddressKeys;

beforeEach(() => forgetKeys([bob.email, 'cat@keyfold.test']));

test('an address missing from the answer is an error, not an address without keys', async () => {
  askKeys.mockResolvedValueOnce([bob]);
  await expect(findKeys([bob.email, 'cat@keyfold.test'])).rejects.toThrow('Something failed');
});

test('keys evicted while they are being fetched are still returned', async () => {
  askKeys.mockImplementationOnce(async () => {
    queueMicrotask(() => forgetKeys([bob.email]));
    return [bob];
  });
  expect(await findKeys(['Bob@keyfold.test'])).toEqual([{ ...bob, digest: 'digest' }]);
});

test('an address without keys is cached for five minutes, one with keys for an hour', async () => {
  vi.useFakeTimers();
  const address = 'dora@outside.test';
  const outside = { email: address, plaintext: true } as AddressKeys;
  askKeys.mockClear();
  askKeys.mockResolvedValueOnce([outside]);
  await findKeys([address]);
  await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
  expect(await findKeys([address])).toEqual([outside]);
  expect(askKeys).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2);
  const registered = { ...bob, email: address } as AddressKeys;
  askKeys.mockResolvedValueOnce([registered]);
  expect(await findKeys([address])).toEqual([{ ...registered, digest: 'digest' }]);
  await vi.advanceTimersByTimeAsync(60 * 60_000 - 1);
  await findKeys([address]);
  expect(askKeys).toHaveBeenCalledTimes(2);
  forgetKeys([address]);
  vi.useRealTimers();
});

test('the user’s own addresses accept only the user’s keys, also with a tag or a former domain', async () => {
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

test('a mismatch recorded by another device blocks the message, encrypted or plaintext', async () => {
  const keys = { ...bob, dh_public: 'dh' } as MessageRecipient['keys'];
  book.known = emptyBook;
  book.stored = markMismatch(emptyBook, bob.email, { dh: 'dh', digest: 'digest' }, 1);
  for (const one of [keys, null])
    await expect(
      sealToPinned('handle', {} as OutgoingMessage, [
        { email: 'bob+x@keyfold.test', keys: one } as MessageRecipient,
      ]),
    ).rejects.toThrow('The safety number for bob+x@keyfold.test doesn’t match. Nothing was sent.');
  expect(sealOutgoing).not.toHaveBeenCalled();
});
