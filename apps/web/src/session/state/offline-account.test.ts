// The account data on a device that stays signed in follows the password. The worker is a stub.
import type { User } from '@keyfold/contract';
import { beforeEach, expect, test, vi } from 'vitest';

const sealRecord = vi.fn(async (_kind: string, _id: string, _user: User) => 'sealed');
vi.mock('../../crypto/key-client.ts', () => ({ keys: () => ({ sealRecord }) }));
let isFull = false;
const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => {
    if (isFull) throw new DOMException('Full', 'QuotaExceededError');
    stored.set(key, value);
  },
  removeItem: (key: string) => void stored.delete(key),
});
const { setUser } = await import('./current-user.ts');
const { followMainKey, keepOfflineAccount } = await import('./offline-account.ts');
const { findOfflineAccount } = await import('../../platform/kept-session.ts');

const bytes = (size: number, fill: number): string => Buffer.alloc(size, fill).toString('base64');
/** A user whose private keys are locked with a password that depends on `fill`. */
const userWith = (fill: number, kdf_email = 'ann@keyfold.test') =>
  ({
    kdf_email,
    main_key: {
      mlkem_public_key: bytes(1568, 0),
      mlkem_private_key_encrypted: bytes(92, fill),
      dh_public_key: bytes(32, 0),
      dh_private_key_encrypted: bytes(60, fill),
      sent_key: bytes(60, fill),
      key_id: bytes(20, 0),
    },
  }) as User;

beforeEach(async () => {
  isFull = false;
  stored.clear();
  stored.set('keep_signed_in', 'true');
  await keepOfflineAccount(userWith(1));
  followMainKey();
  followMainKey();
});

test('keys locked with a new password replace the stored ones', async () => {
  setUser(userWith(2));
  await vi.waitFor(() => expect(findOfflineAccount()?.main_key).toEqual(userWith(2).main_key));
});

test('nothing is stored for another user, for no user, or when nothing was stored before', async () => {
  setUser(userWith(3, 'bob@keyfold.test'));
  setUser(null);
  await new Promise(resolve => setImmediate(resolve));
  expect(findOfflineAccount()).toMatchObject({ email: 'ann@keyfold.test', main_key: userWith(1).main_key });
  stored.clear();
  setUser(userWith(4));
  await new Promise(resolve => setImmediate(resolve));
  expect(stored.size).toBe(0);
});

test('contacts are not stored, because they may exceed the browser’s storage', async () => {
  const contacts = [{ email: 'bob@keyfold.test' }] as User['contacts'];
  await keepOfflineAccount({ ...userWith(1), contacts });
  expect(sealRecord.mock.lastCall?.[2]).toMatchObject({ contacts: [] });
});

test('when new keys cannot be stored, the keys of the old password are removed', async () => {
  isFull = true;
  setUser(userWith(5));
  await vi.waitFor(() => expect(findOfflineAccount()).toBeNull());
  isFull = false;
  await keepOfflineAccount(userWith(5));
  sealRecord.mockRejectedValueOnce(new Error('Locked'));
  setUser(userWith(6));
  await vi.waitFor(() => expect(findOfflineAccount()).toBeNull());
});
