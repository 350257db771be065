// The order of checks in a biometric sign-in, and what each failure leaves behind. Phone, worker
// and server are stubs; the story native.test.ts covers them together.
import { CallError } from '@keyfold/contract/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { KeysMissing } from '../../crypto/keys/keys-missing.ts';

const { secure, enter, turn_off, enterAs, logout, sensor, importVault, ask } = vi.hoisted(() => ({
  secure: new Map<string, string>(),
  enter: vi.fn(),
  turn_off: vi.fn(async () => ({})),
  enterAs: vi.fn(async () => undefined),
  logout: vi.fn(async () => ({})),
  importVault: vi.fn(),
  sensor: { isAvailable: true, strongBiometryIsAvailable: true, biometryType: 2, code: '' },
  ask: vi.fn(async () => undefined),
}));
vi.mock('../../native/plugins.ts', () => ({
  biometry: { checkBiometry: async () => sensor, internalAuthenticate: ask },
  secureStorage: {
    internalGetItem: async ({ prefixedKey }: { prefixedKey: string }) => ({
      data: secure.get(prefixedKey) ?? null,
    }),
    internalRemoveItem: async ({ prefixedKey }: { prefixedKey: string }) => ({
      success: secure.delete(prefixedKey),
    }),
  },
}));
vi.mock('../calls/clients/biometrics.ts', () => ({ biometricsClient: { enter, turn_off } }));
vi.mock('../calls/clients/auth.ts', () => ({ authClient: { logout } }));
vi.mock('../session.ts', () => ({ enterAs }));
vi.mock('../../crypto/key-client.ts', () => ({
  keys: () => ({ importVault }),
  lockKeys: async () => undefined,
}));

const { dropBiometrics, findBiometricSignin, signInByBiometrics, turnBiometricsOn } = await import(
  './biometric-login.ts'
);

const email = 'ann@keyfold.test';
const stored = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
});
const user = { kdf_email: email, client_key: 'key', main_key: { key_id: 'one' } };
/** Data with which the next start would continue without asking the user. */
const keptNames = ['vault', 'auth_backup', 'keep_signed_in', 'offline_account'];
const isOn = () => stored.has('biometric_enabled') || stored.has('biometric_credentials') || secure.size > 0;
const fail = (status: number): CallError =>
  Object.assign(Object.create(CallError.prototype), { status, code: '', message: 'no' });

beforeEach(() => {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
  const known = { email, expiresAt: Date.now() + 60_000 };
  stored.clear();
  secure.clear();
  stored.set('biometric_enabled', 'true');
  stored.set('biometric_credentials', JSON.stringify(known));
  secure.set('keyfold_biometric_credentials', JSON.stringify({ ...known, token: 'secret' }));
  secure.set('keyfold_vault', 'sealed');
  for (const name of keptNames) stored.set(name, name === 'keep_signed_in' ? 'true' : 'kept');
  sensor.code = '';
  sensor.isAvailable = true;
  for (const mock of [enter, turn_off, enterAs, logout, importVault, ask]) mock.mockClear();
  enter.mockResolvedValue({ data: user });
  importVault.mockResolvedValue({ email, keyId: 'one' });
});

test('in a browser or when turned off, biometric sign-in fails without asking', async () => {
  vi.stubGlobal('Capacitor', undefined);
  await expect(findBiometricSignin()).rejects.toThrow('Biometric authentication not available on web');
  await expect(turnBiometricsOn()).rejects.toThrow('Biometric authentication not available on web');
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
  stored.delete('biometric_enabled');
  await expect(signInByBiometrics()).rejects.toThrow('Biometric authentication not enabled');
  expect(ask).not.toHaveBeenCalled();
});

test('biometric sign-in opens the session, then the vault, then the account', async () => {
  await signInByBiometrics();
  expect(enter).toHaveBeenCalledWith({ email, token: 'secret', keep_signed_in: true });
  expect(importVault).toHaveBeenCalledWith('key', 'sealed');
  expect(enterAs).toHaveBeenCalledWith(user, true);
  expect(isOn()).toBe(true);
});

test('expired or unreadable credentials turn biometrics off before the prompt', async () => {
  stored.set('biometric_credentials', JSON.stringify({ email, expiresAt: Date.now() }));
  await expect(signInByBiometrics()).rejects.toThrow('Biometric credentials expired. Please login again.');
  expect([ask.mock.calls.length, isOn()]).toEqual([0, false]);
  expect(turn_off).toHaveBeenCalledWith({ token: 'secret' });
  stored.set('biometric_enabled', 'true');
  stored.set('biometric_credentials', '{"email":5}');
  await expect(signInByBiometrics()).rejects.toThrow('No biometric credentials found');
});

test('a refused session turns biometrics off; an unanswered request does not', async () => {
  enter.mockRejectedValueOnce(fail(0));
  await expect(signInByBiometrics()).rejects.toThrow('no');
  enter.mockRejectedValueOnce(fail(403));
  await expect(signInByBiometrics()).rejects.toThrow('no');
  expect(isOn()).toBe(true);
  enter.mockRejectedValueOnce(fail(401));
  await expect(signInByBiometrics()).rejects.toThrow('Session expired. Please login again.');
  expect(isOn()).toBe(false);
});

test('a key worker that fails to load does not turn biometrics off', async () => {
  importVault.mockRejectedValueOnce(new KeysMissing());
  await expect(signInByBiometrics()).rejects.toThrow(KeysMissing);
  expect(isOn()).toBe(true);
  expect(logout).not.toHaveBeenCalled();
  await signInByBiometrics();
  expect(enterAs).toHaveBeenCalledOnce();
});

test.each([
  ['Vault not found. Please login again.', () => void secure.delete('keyfold_vault')],
  ['Vault not found. Please login again.', () => void importVault.mockRejectedValue(new Error('damaged'))],
  [
    'Email mismatch. Please login again.',
    () => void importVault.mockResolvedValue({ email: 'b@x', keyId: 'one' }),
  ],
  ['Session expired. Please login again.', () => void importVault.mockResolvedValue({ email, keyId: 'two' })],
])('%s: turns biometrics off and signs out of the new session', async (text, spoil) => {
  spoil();
  await expect(signInByBiometrics()).rejects.toThrow(text);
  expect(isOn()).toBe(false);
  expect(logout).toHaveBeenCalledOnce();
  expect(enterAs).not.toHaveBeenCalled();
});

test.each([
  [
    'its time is over',
    () => stored.set('biometric_credentials', JSON.stringify({ email, expiresAt: Date.now() })),
  ],
  [
    'nothing is enrolled any more',
    () => Object.assign(sensor, { isAvailable: false, code: 'biometryNotEnrolled' }),
  ],
  ['the phone has no lock', () => Object.assign(sensor, { isAvailable: false, code: 'passcodeNotSet' })],
  [
    'Android has no lock',
    () => ask.mockRejectedValueOnce(Object.assign(new Error(), { code: 'noDeviceCredential' })),
  ],
  ['the server refuses it', () => enter.mockRejectedValueOnce(fail(401))],
  ['its vault is gone', () => secure.delete('keyfold_vault')],
])('turned off because %s, it leaves no stored session for the next start', async (_why, spoil) => {
  spoil();
  logout.mockRejectedValueOnce(fail(0));
  await expect(signInByBiometrics()).rejects.toThrow();
  expect(isOn()).toBe(false);
  expect(logout).toHaveBeenCalledOnce();
  expect(keptNames.filter(name => stored.has(name))).toEqual([]);
});

test('a failed prompt, or turning biometrics off by hand, leaves the session as it was', async () => {
  ask.mockRejectedValueOnce(Object.assign(new Error(), { code: 'biometryLockout' }));
  await expect(signInByBiometrics()).rejects.toThrow('Biometric authentication failed');
  await dropBiometrics();
  expect(isOn()).toBe(false);
  expect(logout).not.toHaveBeenCalled();
  expect(keptNames.filter(name => stored.has(name))).toEqual(keptNames);
});
