import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { inviteLink } from '../sign-in/link-secrets.ts';
import { serverOrigin } from './server-origin.ts';

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
  vi.stubGlobal('location', { origin: 'https://localhost' });
});
afterEach(() => vi.unstubAllGlobals());

test('in a browser, the server is the origin of the page, whatever is in storage', () => {
  stored.set('server_address', 'https://evil.example');
  expect(serverOrigin()).toBe('https://localhost');
});

test('in the native shell, the chosen server is used in every shared link', () => {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
  stored.set('server_address', 'https://mail.example:8443');
  expect(serverOrigin()).toBe('https://mail.example:8443');
  expect(inviteLink('abc')).toBe('https://mail.example:8443/app/signup#invite=abc');
});

test('in the native shell, an invalid stored address is ignored', () => {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
  stored.set('server_address', 'nonsense');
  expect(serverOrigin()).toBe('https://localhost');
});
