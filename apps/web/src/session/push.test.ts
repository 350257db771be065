// Switching push on and off, with stand-ins for the device and for the server.
import { beforeEach, expect, test, vi } from 'vitest';

const { calls, device, stored } = vi.hoisted(() => ({
  calls: [] as string[],
  stored: new Map<string, string>(),
  device: { token: null as string | null },
}));
vi.mock('../platform/push.ts', () => ({
  pushDevice: () => ({
    platform: 'web',
    info: async () => ({ model: '', platform: 'web', operatingSystem: '', osVersion: '' }),
    subscribe: async () => {
      device.token ??= 'token-1';
      return device.token;
    },
    findToken: async () => device.token,
    unsubscribe: async () => {
      device.token = null;
    },
    keepWords: async () => undefined,
  }),
}));
vi.mock('./notifications-client.ts', () => ({
  notificationsClient: {
    register: async ({ token }: { token: string }) => {
      await new Promise(resolve => setTimeout(resolve, 5));
      calls.push(`register ${token}`);
    },
    unregister: async ({ token }: { token: string }) => void calls.push(`unregister ${token}`),
  },
}));
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});

const { isPushOn, refreshPush, turnPushOff, turnPushOn } = await import('./push.ts');

beforeEach(() => {
  calls.length = 0;
  stored.clear();
  device.token = null;
});

test('what is switched off while it is registered anew stays off', async () => {
  await turnPushOn('key');
  expect(isPushOn()).toBe(true);
  await Promise.all([refreshPush(), turnPushOff()]);
  expect(isPushOn()).toBe(false);
  expect(calls).toEqual(['register token-1', 'register token-1', 'unregister token-1']);
  await refreshPush();
  expect(calls).toHaveLength(3);
});

test('another token takes the place of the old one, and one that was taken back is forgotten', async () => {
  await turnPushOn('key');
  device.token = 'token-2';
  await refreshPush();
  device.token = null;
  await refreshPush();
  expect(calls).toEqual(['register token-1', 'unregister token-1', 'register token-2', 'unregister token-2']);
  expect(isPushOn()).toBe(false);
});
