// Replaced keys still open what was wrapped for them, and nothing new is sealed under them.
import type { OldWrap, RetiredKey } from '@keyfold/contract';
import { createMessageKey, encodeBase64, sealMessage } from '@keyfold/crypto/message';
import { createIdentity, deriveVaultKey, type MainKey, unlockVault } from '@keyfold/crypto/vault';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createAccount } from '../keys/account-keys.ts';
import { openRecord, sealOwnRecord, sealRecord } from '../keys/records.ts';
import { getVault, hold, vaultFacts } from '../keys/vault-keeper.ts';
import { dropRotation, holdRetired, prepareRotation, rewrapOld, takeRotation } from './retired-keys.ts';

const email = 'alice@keyfold.test';
const password = 'Correct-Horse-9';
let mainKey: MainKey;
let first: ReturnType<typeof getVault>['identity'];

const copyOf = (identity: typeof first): typeof first => ({
  ...identity,
  mlkem_private: identity.mlkem_private.slice(),
  dh_private: identity.dh_private.slice(),
  sent_key: identity.sent_key.slice(),
});

beforeAll(async () => {
  ({ mainKey } = await createAccount(email, password, () => undefined));
  first = copyOf(getVault().identity);
});
beforeEach(() => hold(email, copyOf(first)));

/**
 * Returns a received or own message sealed to the current keys, with its wrap as the server lists
 * it.
 */
async function sealNow(isOwn: boolean): Promise<OldWrap & { readonly body: string }> {
  const { identity } = getVault();
  const bob = await createIdentity();
  const sealed = await sealMessage({
    payload: new TextEncoder().encode('From: bob@keyfold.test\r\n\r\nHello'),
    messageKey: createMessageKey(),
    recipients: isOwn ? [] : [{ email, mlkem_public: identity.mlkem_public, dh_public: identity.dh_public }],
    ...(isOwn ? { self: { email, sent_key: identity.sent_key, key_id: identity.key_id } } : { sender: bob }),
  });
  const [first] = sealed.recipients;
  const keyed = first !== undefined && 'mlkem_ciphertext' in first ? first : null;
  const entry = isOwn ? sealed.self : keyed;
  if (entry === null) throw new Error('not sealed');
  return {
    id: '01890000-0000-7000-8000-000000000000',
    body: sealed.message_encrypted,
    binding: sealed.binding,
    ciphertext: keyed?.mlkem_ciphertext ?? null,
    encrypted_key: entry.second_stage_key_encrypted,
    dh_public: isOwn ? null : sealed.public_key,
    salt: entry.salt,
    key_used: entry.key_used,
  };
}

/** Rotates the keys as a client does, and returns what the server then stores. */
async function rotate(key = mainKey): Promise<{ mainKey: MainKey; retired: readonly RetiredKey[] }> {
  const prepared = await prepareRotation(password, key);
  expect((await takeRotation(prepared.main_key.key_id))?.keyId).toBe(prepared.main_key.key_id);
  return { mainKey: prepared.main_key, retired: prepared.retired };
}

test('the password opens the new keys, which open the old ones in order', async () => {
  const once = await rotate();
  await holdRetired(once.retired);
  const second = getVault().identity.key_id;
  const { retired, mainKey: newest } = await rotate(once.mainKey);
  expect(retired.map(one => [one.key_id, one.generation])).toEqual([
    [first.key_id, 1],
    [second, 2],
  ]);
  const opened = await unlockVault(await deriveVaultKey(password, email), newest);
  expect(opened.key_id).toBe(vaultFacts().keyId);
  expect(await holdRetired(retired)).toBe(2);
  expect(getVault().retired.map(one => one.identity.key_id)).toEqual([first.key_id, second]);
  // The second time, nothing is opened again.
  const { opener } = getVault();
  expect(await holdRetired(retired)).toBe(2);
  expect(getVault().opener).toBe(opener);
});

test.each([true, false])(
  'old mail opens with the old keys, and once rewrapped without them (own: %s)',
  async isOwn => {
    const { body, ...wrap } = await sealNow(isOwn);
    const { retired } = await rotate();
    await expect(getVault().opener.open({ ...wrap, body })).rejects.toThrow('Failed to decrypt message');
    await holdRetired(retired);
    expect((await getVault().opener.open({ ...wrap, body })).payload).toHaveLength(31);
    const { wraps, failed } = await rewrapOld([wrap, { ...wrap, binding: encodeBase64(new Uint8Array(32)) }]);
    expect([wraps.length, failed]).toEqual([1, 1]);
    const [made] = wraps;
    expect(made).toMatchObject({ email_id: wrap.id, binding: wrap.binding, key_used: vaultFacts().keyId });
    await holdRetired([]);
    expect(getVault().retired).toEqual([]);
    expect((await getVault().opener.open({ ...made, body })).path).toBe('self');
    expect(await rewrapOld([wrap])).toEqual({ wraps: [], failed: 1 });
  },
);

test('records under old keys open, and new records are sealed under the current keys', async () => {
  const old = await sealRecord('setting', 'one', { a: 1 });
  const { retired } = await rotate();
  await expect(openRecord('setting', 'one', old)).rejects.toThrow('Failed to open stored data');
  await holdRetired(retired);
  expect(await openRecord('setting', 'one', old)).toEqual({ a: 1 });
  await expect(openRecord('setting', 'two', old)).rejects.toThrow('Failed to open stored data');
  const made = await sealOwnRecord('setting', 'one', { a: 2 });
  expect(made.key_used).toBe(vaultFacts().keyId);
  await holdRetired([]);
  expect(await openRecord('setting', 'one', made.sealed)).toEqual({ a: 2 });
});

test('a wrong password prepares no keys, and dropped keys cannot be adopted', async () => {
  await expect(prepareRotation('Wrong-Horse-9', mainKey)).rejects.toThrow('Failed to unlock vault');
  const { main_key } = await prepareRotation(password, mainKey);
  expect(await takeRotation(first.key_id)).toBeNull();
  dropRotation();
  expect(await takeRotation(main_key.key_id)).toBeNull();
  expect(vaultFacts().keyId).toBe(first.key_id);
});

test('retired keys that the server changed are ignored, and the others are kept', async () => {
  const { retired } = await rotate();
  const [one] = retired;
  if (one === undefined) throw new Error('nothing retired');
  expect(await holdRetired([{ ...one, generation: 2 }])).toBe(0);
  expect(await holdRetired([{ ...one, key_id: vaultFacts().keyId }])).toBe(0);
  expect(await holdRetired([one, { ...one, key_id: 'A'.repeat(27).concat('='), generation: 2 }])).toBe(1);
});
