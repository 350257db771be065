// After the server has ended a kept session, nothing remains on the device that a password could
// open. The worker and the server are stubs.
import { CallError } from '@keyfold/contract/client';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { KeysMissing } from '../crypto/keys/keys-missing.ts';
import { AUTH_BACKUP_LIFETIME_MS } from '../timing.ts';

const { check, restore, importVault } = vi.hoisted(() => ({
  check: vi.fn(),
  restore: vi.fn(),
  importVault: vi.fn(),
}));
vi.mock('./calls/clients/auth.ts', () => ({ authClient: { check, restore } }));
vi.mock('../crypto/key-client.ts', () => ({
  lockKeys: async () => undefined,
  keys: () => ({
    vaultFacts: async () => ({ keyId: 'one' }),
    importVault,
    exportVault: async () => 'sealed anew',
    claimAnswers: async () => undefined,
    sealRecord: async () => 'sealed',
  }),
}));
vi.mock('../crypto/search-client.ts', () => ({ resumeSearch: () => undefined }));

const { enter, enterAgain, rejoin } = await import('./session.ts');
const { sessionStatus } = await import('./state/session-state.ts');

const zeros = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
const account = {
  email: 'ann@keyfold.test',
  main_key: {
    mlkem_public_key: zeros(1568),
    mlkem_private_key_encrypted: zeros(92),
    dh_public_key: zeros(32),
    dh_private_key_encrypted: zeros(60),
    sent_key: zeros(60),
    key_id: zeros(20),
  },
  user: 'sealed',
};
const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});
const removed: string[] = [];
vi.stubGlobal('indexedDB', { deleteDatabase: (name: string) => removed.push(name) });
const names = ['auth_backup', 'keep_signed_in', 'offline_account'];

function keep(timestamp: number): void {
  const backup = { email: account.email, timestamp, vaultData: 'sealed', persistent: true };
  stored.set('auth_backup', JSON.stringify(backup));
  stored.set('keep_signed_in', 'true');
  stored.set('offline_account', JSON.stringify(account));
}
const fail = (status: number): CallError =>
  Object.assign(Object.create(CallError.prototype), { status, code: '', message: 'no' });

beforeEach(() => {
  stored.clear();
  removed.length = 0;
  check.mockReset();
  restore.mockReset();
});

test('a session revoked elsewhere deletes the data that would unlock offline', async () => {
  keep(Date.now());
  check.mockRejectedValue(fail(401));
  restore.mockRejectedValue(fail(401));
  await enter();
  expect(sessionStatus()).toBe('out');
  expect(names.filter(name => stored.has(name))).toEqual([]);
  expect(removed).toEqual(['import-files']);
});

test.each([
  ['without an answer', 0],
  ['while the service says that it is down', 503],
])('%s no stored data is deleted', async (_, status) => {
  keep(Date.now());
  check.mockRejectedValue(fail(status));
  restore.mockRejectedValue(fail(status));
  await enter().catch(() => undefined);
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual(names);
  expect(removed).toEqual([]);
});

test('when the key worker fails to load, nothing is deleted and no restore is attempted', async () => {
  keep(Date.now());
  stored.set('vault', 'sealed');
  check.mockResolvedValue({ data: { client_key: '', kdf_email: account.email } });
  importVault.mockRejectedValueOnce(new KeysMissing());
  await enter();
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual(names);
  expect(restore).not.toHaveBeenCalled();
});

const keyOf = (call: number): string => restore.mock.calls[call]?.[1].headers['idempotency-key'];

test('an unanswered restore is retried with the same idempotency key, which is dropped after the answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  keep(Date.now());
  check.mockRejectedValue(fail(401));
  restore.mockRejectedValueOnce(fail(0));
  await enter();
  // A server that does not know the session cannot tell whether another one has restored it.
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual(names);
  vi.setSystemTime(Date.now() + 59_000);
  restore.mockRejectedValueOnce(fail(0));
  await enterAgain();
  expect(keyOf(0)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(keyOf(1)).toBe(keyOf(0));
  // The server would no longer recognize it.
  vi.setSystemTime(Date.now() + 1_000);
  restore.mockRejectedValueOnce(fail(401));
  await enterAgain();
  expect(keyOf(2)).not.toBe(keyOf(0));
  expect(stored.has('restore_key')).toBe(false);
  vi.useRealTimers();
});

test('an expired stored session cannot be unlocked, online or offline', async () => {
  keep(Date.now() - AUTH_BACKUP_LIFETIME_MS - 1);
  check.mockRejectedValue(fail(0));
  await enter().catch(() => undefined);
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual([]);
});

test('a page unlocked offline stays unchanged until the server answers', async () => {
  check.mockRejectedValue(fail(0));
  await enter();
  const { promise, reject } = Promise.withResolvers<never>();
  check.mockReturnValue(promise);
  const again = enterAgain();
  expect(sessionStatus()).toBe('locked');
  reject(fail(401));
  await again;
  expect(sessionStatus()).toBe('out');
});

describe('a session that ends while the page is open', () => {
  const user = { kdf_email: account.email, main_key: { key_id: 'one' }, client_key: 'key', retired_keys: [] };
  const held: string[] = [];
  beforeEach(() => {
    held.length = 0;
    vi.stubGlobal('navigator', {
      locks: {
        request: (name: string, work: () => Promise<unknown>) => {
          held.push(name);
          return work();
        },
      },
    });
  });

  test('is restored from the stored session in one tab at a time, and the vault is sealed for the next start', async () => {
    keep(Date.now());
    check.mockRejectedValue(fail(401));
    restore.mockResolvedValue({ data: user });
    expect(await Promise.all([rejoin(), rejoin()])).toEqual([true, true]);
    expect(held).toEqual(['restore-session']);
    expect(restore).toHaveBeenCalledOnce();
    expect(sessionStatus()).toBe('in');
    expect(stored.get('vault')).toBe('sealed anew');
  });

  test('ends when the stored session has ended or the keys differ', async () => {
    keep(Date.now());
    check.mockRejectedValue(fail(401));
    restore.mockRejectedValueOnce(fail(401));
    expect(await rejoin()).toBe(false);
    expect(sessionStatus()).toBe('out');
    expect(names.filter(name => stored.has(name))).toEqual([]);
    keep(Date.now());
    restore.mockResolvedValueOnce({ data: { ...user, main_key: { key_id: 'two' } } });
    expect(await rejoin()).toBe(false);
  });

  test('waits when the server does not answer', async () => {
    keep(Date.now());
    check.mockRejectedValue(fail(0));
    expect(await rejoin()).toBe(false);
    expect(restore).not.toHaveBeenCalled();
    expect(names.filter(name => stored.has(name))).toEqual(names);
  });
});
