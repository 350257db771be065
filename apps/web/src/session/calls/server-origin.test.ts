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

test('a browser knows it from its page, whatever was left in its storage', () => {
  stored.set('server_address', 'https://evil.example');
  expect(serverOrigin()).toBe('https://localhost');
});

test('in the shell it is the server that was chosen, in every link that is given to others', () => {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
  stored.set('server_address', 'https://mail.example:8443');
  expect(serverOrigin()).toBe('https://mail.example:8443');
  expect(inviteLink('abc')).toBe('https://mail.example:8443/app/signup#invite=abc');
});

test('what is no address there changes nothing', () => {
  vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
  stored.set('server_address', 'nonsense');
  expect(serverOrigin()).toBe('https://localhost');
});
