// Turning push on and off, and its owner. The device and the server are stubs.
import type { User } from '@keyfold/contract';
import { notificationsCalls } from '@keyfold/contract/calls/notifications';
import { CallError } from '@keyfold/contract/client';
import { beforeEach, expect, test, vi } from 'vitest';

const { calls, device, server, stored } = vi.hoisted(() => ({
  calls: [] as string[],
  stored: new Map<string, string>(),
  device: { token: null as string | null, ended: 0 },
  server: { known: new Set<string>(), while: () => undefined as unknown },
}));
vi.mock('../../platform/push.ts', () => ({
  pushDevice: () => ({
    platform: 'web',
    info: async () => ({ model: '', platform: 'web', operatingSystem: '', osVersion: '' }),
    subscribe: async () => {
      device.token ??= 'token-1';
      return device.token;
    },
    findToken: async () => device.token,
    end: async () => {
      device.token = null;
      device.ended++;
    },
    keepWords: async () => undefined,
  }),
}));
vi.mock('../calls/clients/notifications.ts', () => ({
  notificationsClient: {
    register: async ({ token, renews }: { token: string; renews?: string }) => {
      await new Promise(resolve => setTimeout(resolve, 5));
      server.while();
      calls.push(renews === undefined ? `register ${token}` : `renew ${renews} as ${token}`);
      if (renews !== undefined && !server.known.delete(renews))
        throw new CallError(notificationsCalls.register, {
          status: 404,
          code: 'not_found',
          message: 'Not found',
        });
      server.known.add(token);
    },
    unregister: async ({ token }: { token: string }) => {
      calls.push(`unregister ${token}`);
      server.known.delete(token);
    },
  },
}));
vi.stubGlobal('localStorage', {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => stored.set(key, value),
  removeItem: (key: string) => stored.delete(key),
});

const { endPush, isPushOn, refreshPush, turnPushOff, turnPushOn } = await import('./push.ts');
const { notificationChoices, setNotificationChoices } = await import('./notification-choices.ts');
const { setUser } = await import('../state/current-user.ts');
const enter = (name: string) => setUser({ kdf_email: `${name}@keyfold.test` } as User);

beforeEach(() => {
  calls.length = 0;
  stored.clear();
  device.token = null;
  device.ended = 0;
  server.known.clear();
  server.while = () => undefined;
  enter('ann');
});

test('push turned off during a renewal stays off', async () => {
  await turnPushOn('key');
  expect(isPushOn()).toBe(true);
  await Promise.all([refreshPush(), turnPushOff()]);
  expect(isPushOn()).toBe(false);
  expect(calls).toEqual(['register token-1', 'renew token-1 as token-1', 'unregister token-1']);
  await refreshPush();
  expect(calls).toHaveLength(3);
});

test('a new token replaces the old one, and a withdrawn token is unregistered', async () => {
  await turnPushOn('key');
  device.token = 'token-2';
  await refreshPush();
  expect(isPushOn()).toBe(true);
  device.token = null;
  await refreshPush();
  expect(calls).toEqual(['register token-1', 'renew token-1 as token-2', 'unregister token-2']);
  expect(isPushOn()).toBe(false);
});

test('a device removed elsewhere drops its token and is not registered again', async () => {
  await turnPushOn('key');
  server.known.clear();
  await refreshPush();
  expect(isPushOn()).toBe(false);
  expect(device).toEqual({ token: null, ended: 1 });
  await refreshPush();
  expect(calls).toEqual(['register token-1', 'renew token-1 as token-1']);
  expect(server.known.size).toBe(0);
});

test('push stays on when the server does not answer', async () => {
  await turnPushOn('key');
  server.while = () => {
    throw new Error('offline');
  };
  await expect(refreshPush()).rejects.toThrow('offline');
  expect(isPushOn()).toBe(true);
  expect(device.ended).toBe(0);
});

test('another user signing in ends push and starts with the default choices', async () => {
  setNotificationChoices({ newEmails: false });
  await turnPushOn('key');
  enter('bob');
  expect(isPushOn()).toBe(false);
  await refreshPush();
  expect(calls).toEqual(['register token-1']);
  expect(device).toEqual({ token: null, ended: 1 });
  expect([...stored.keys()]).toEqual([]);
  expect(notificationChoices().newEmails).toBe(true);
  enter('ann');
  expect(isPushOn()).toBe(false);
});

test('a token stored without its user is dropped', async () => {
  stored.set('pushToken', '{"endpoint":"https://push.test/1","keys":{}}');
  expect(isPushOn()).toBe(false);
  await refreshPush();
  expect(calls).toEqual([]);
  expect(device.ended).toBe(1);
});

test('signing out during a renewal leaves no token behind', async () => {
  await turnPushOn('key');
  const renewing = refreshPush();
  server.while = () => void endPush();
  await renewing;
  expect(stored.has('pushToken')).toBe(false);
  expect(device.token).toBeNull();
});
