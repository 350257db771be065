// What a kept session leaves on the device when the server has ended it: nothing that a password opens. The worker and the
// server are stand-ins.
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

test('a session that was ended elsewhere takes along what would open without the server', async () => {
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
])('%s nothing is thrown away', async (_, status) => {
  keep(Date.now());
  check.mockRejectedValue(fail(status));
  restore.mockRejectedValue(fail(status));
  await enter().catch(() => undefined);
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual(names);
  expect(removed).toEqual([]);
});

test('without the program that opens the keys nothing is thrown away or asked for', async () => {
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

test('a restore without an answer is repeated under its key, which goes with the answer', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  keep(Date.now());
  check.mockRejectedValue(fail(401));
  restore.mockRejectedValueOnce(fail(0));
  await enter();
  // A machine that knows of no session says nothing about the restore that another one may have done.
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual(names);
  vi.setSystemTime(Date.now() + 59_000);
  restore.mockRejectedValueOnce(fail(0));
  await enterAgain();
  expect(keyOf(0)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(keyOf(1)).toBe(keyOf(0));
  // The server would not know it any more.
  vi.setSystemTime(Date.now() + 1_000);
  restore.mockRejectedValueOnce(fail(401));
  await enterAgain();
  expect(keyOf(2)).not.toBe(keyOf(0));
  expect(stored.has('restore_key')).toBe(false);
  vi.useRealTimers();
});

test('a kept session that is too old opens no more, with the server or without', async () => {
  keep(Date.now() - AUTH_BACKUP_LIFETIME_MS - 1);
  check.mockRejectedValue(fail(0));
  await enter().catch(() => undefined);
  expect(sessionStatus()).toBe('locked');
  expect(names.filter(name => stored.has(name))).toEqual([]);
});

test('a page that stands without the server is left as it is until there is an answer', async () => {
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

describe('a session that is over while the page runs', () => {
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

  test('goes on by the kept one, with a vault that the next start can open, and one tab at a time', async () => {
    keep(Date.now());
    check.mockRejectedValue(fail(401));
    restore.mockResolvedValue({ data: user });
    expect(await Promise.all([rejoin(), rejoin()])).toEqual([true, true]);
    expect(held).toEqual(['restore-session']);
    expect(restore).toHaveBeenCalledOnce();
    expect(sessionStatus()).toBe('in');
    expect(stored.get('vault')).toBe('sealed anew');
  });

  test('is over where the kept one is, too, and where the keys are others', async () => {
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

  test('waits where there is no answer', async () => {
    keep(Date.now());
    check.mockRejectedValue(fail(0));
    expect(await rejoin()).toBe(false);
    expect(restore).not.toHaveBeenCalled();
    expect(names.filter(name => stored.has(name))).toEqual(names);
  });
});
