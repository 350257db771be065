import { entryHash, keysHash, NO_ENTRY, NO_KEYS } from '@keyfold/crypto/key-log/hashes';
import { encodeBase64 } from '@keyfold/crypto/message';
import { createIdentity, type Identity } from '@keyfold/crypto/vault';
import { beforeAll, expect, test, vi } from 'vitest';
import { findForeignVersion, readStateField } from './key-log-check.ts';

const refusal = { code: 'key_log_refused' };
let identity: Identity;
let retired: { readonly identity: Identity; readonly generation: number }[] = [];
vi.mock('./vault-keeper.ts', () => ({ getVault: () => ({ identity, retired }) }));
beforeAll(async () => {
  identity = await createIdentity();
});

/** Returns a history of these keys, and the matching entry of the log. */
async function historyOf(versions: readonly Uint8Array[]) {
  let last: Uint8Array = NO_ENTRY;
  for (const [at, keys] of versions.entries()) last = await entryHash(last, at + 1, keys);
  return {
    entry: { version: versions.length, entry: encodeBase64(last) },
    history: versions.map((keys, at) => ({
      version: at + 1,
      keys: encodeBase64(keys),
      changed_at: `2026-0${at + 1}-01`,
    })),
  };
}

test('accepts a history of own keys, and reports a period without keys once', async () => {
  const own = await keysHash(identity);
  const fine = await historyOf([own]);
  expect(await findForeignVersion(fine.entry, fine.history, 0)).toBeNull();
  const { entry, history } = await historyOf([own, NO_KEYS, own]);
  expect(await findForeignVersion(entry, history, 0)).toMatchObject({ version: 2, isGone: true });
  expect(await findForeignVersion(entry, history, 2)).toBeNull();
});

test('finds another user’s keys in the history, even if they were replaced again', async () => {
  const own = await keysHash(identity);
  const { entry, history } = await historyOf([own, await keysHash(await createIdentity()), own]);
  expect(await findForeignVersion(entry, history, 0)).toEqual({
    version: 2,
    changedAt: '2026-02-01',
    isGone: false,
  });
});

test('accepts former own keys in their order, and reports them when they come back', async () => {
  const [first, second] = [await createIdentity(), await createIdentity()];
  retired = [
    { identity: first, generation: 1 },
    { identity: second, generation: 2 },
  ];
  const [one, two, own] = await Promise.all([first, second, identity].map(one => keysHash(one)));
  const look = async (versions: readonly (Uint8Array | undefined)[]) => {
    const { entry, history } = await historyOf(versions.map(one => one ?? NO_KEYS));
    return (await findForeignVersion(entry, history, 0))?.version ?? null;
  };
  expect(await look([one, two, own])).toBeNull();
  expect(await look([two, own])).toBeNull();
  expect(await look([one, own, two])).toBe(3);
  expect(await look([one, own, one, own])).toBe(3);
  expect(await look([two, one, own])).toBe(2);
  // The log still lists the replaced keys.
  expect(await look([one, two])).toBe(2);
  retired = [];
  expect(await look([one, own])).toBe(1);
});

test('rejects a history that hides a version of the log', async () => {
  const own = await keysHash(identity);
  const { entry, history } = await historyOf([own, await keysHash(await createIdentity()), own]);
  const hidden = history
    .filter(({ version }) => version !== 2)
    .map((one, at) => ({ ...one, version: at + 1 }));
  await expect(findForeignVersion(entry, hidden, 0)).rejects.toMatchObject(refusal);
  await expect(findForeignVersion(entry, history.slice(1), 0)).rejects.toMatchObject(refusal);
  await expect(findForeignVersion(null, history, 0)).rejects.toMatchObject(refusal);
});

test('reads the key log state from the sender’s field, and returns null for a malformed value', () => {
  const field = (value: string) => [{ name: 'keyfold-key-log', value }];
  expect(readStateField(field('12 cm9vdA== a2V5 c2ln'))).toEqual({
    size: 12,
    root: 'cm9vdA==',
    key: 'a2V5',
    signature: 'c2ln',
  });
  for (const value of ['', '12', '12 a b', '-1 a b c', '99999999999999 a b c'])
    expect(readStateField(field(value))).toBeNull();
  expect(readStateField([])).toBeNull();
});
