// Phone push: untrusted data, permissions, tokens that never arrive, and names on both systems.
// Uses a fake plugin.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const { push, heard, system } = vi.hoisted(() => ({
  system: { name: 'android' },
  heard: new Map<string, (event: unknown) => void>(),
  push: {
    addListener: vi.fn(),
    checkPermissions: vi.fn(),
    register: vi.fn(),
    getDeliveredNotifications: vi.fn(),
    removeDeliveredNotifications: vi.fn(),
    createChannel: vi.fn(),
  },
}));
vi.mock('./plugins.ts', () => ({ push, platform: () => system.name }));

const {
  findPushNames,
  findPushPermission,
  followPushes,
  getPushToken,
  keepChannels,
  readArrived,
  removePushes,
} = await import('./push.ts');
const { targetOfPush } = await import('./push.ts');

push.addListener.mockImplementation(async (name: string, hear: (event: unknown) => void) => {
  heard.set(name, hear);
});

beforeEach(() => {
  system.name = 'android';
  push.register.mockReset().mockResolvedValue(undefined);
  push.removeDeliveredNotifications.mockReset().mockResolvedValue(undefined);
  push.createChannel.mockReset().mockResolvedValue(undefined);
});
afterEach(() => vi.useRealTimers());

test('pushed data is validated', () => {
  for (const data of [undefined, null, 'x', {}, { type: 'other' }, { type: 3 }])
    expect(readArrived(data)).toBeNull();
  expect(readArrived({ type: 'mail', id: '01-ab_C', 'google.sent_time': 3 })).toEqual({
    type: 'mail',
    id: '01-ab_C',
  });
  for (const id of ['', '../x', 'a/b', 'a b', 'a'.repeat(65), 5, null])
    expect(readArrived({ type: 'mail', id }), String(id)).toEqual({ type: 'mail', id: null });
});

test('a tapped notification leads to its hash target, or to the inbox without one', () => {
  expect(targetOfPush({ type: 'mail', id: '01-ab' })).toBe('#/email/01-ab');
  expect(targetOfPush({ type: 'security', id: '01-ab' })).toBe('#/security');
  for (const data of [
    { type: 'mail' },
    { type: 'summary' },
    { type: 'test' },
    { type: 'x', id: '1' },
    undefined,
  ])
    expect(targetOfPush(data)).toBe('#/inbox');
});

test('only a tap opens something, and unknown pushes are ignored', async () => {
  const [arrived, opened] = [vi.fn(), vi.fn()];
  await followPushes({ arrived, opened });
  heard.get('pushNotificationReceived')?.({ data: { type: 'other' } });
  heard.get('pushNotificationReceived')?.({ data: { type: 'read', id: 'a-1' } });
  heard.get('pushNotificationActionPerformed')?.({ actionId: 'dismiss', notification: { data: {} } });
  heard.get('pushNotificationActionPerformed')?.({
    actionId: 'tap',
    notification: { data: { type: 'security' } },
  });
  expect(arrived.mock.calls).toEqual([[{ type: 'read', id: 'a-1' }]]);
  expect(opened.mock.calls).toEqual([['#/security']]);
});

test.each([
  ['granted', 'granted'],
  ['denied', 'denied'],
  ['prompt', 'default'],
  ['prompt-with-rationale', 'default'],
])('maps the phone’s permission %s to %s', async (receive, permission) => {
  push.checkPermissions.mockResolvedValue({ receive });
  expect(await findPushPermission()).toBe(permission);
});

test('concurrent callers share one token request, and a phone that gives no token causes an error', async () => {
  push.register.mockImplementation(async () => heard.get('registration')?.({ value: 'token-1' }));
  expect(await Promise.all([getPushToken(), getPushToken()])).toEqual(['token-1', 'token-1']);
  expect(push.register).toHaveBeenCalledTimes(1);
  push.register.mockImplementation(async () => heard.get('registrationError')?.({ error: 'no' }));
  await expect(getPushToken()).rejects.toThrow('gave no token');
  push.register.mockRejectedValue(new Error('no Firebase'));
  await expect(getPushToken()).rejects.toThrow('no Firebase');
  vi.useFakeTimers();
  push.register.mockResolvedValue(undefined);
  const late = expect(getPushToken()).rejects.toThrow('did not answer');
  await vi.advanceTimersByTimeAsync(20_000);
  await late;
});

test('notifications are identified by tag on Android and by id on iOS, with none before iOS answers', async () => {
  const shown = [
    { id: 0, tag: 'a-1' },
    { id: 'b-2', title: 'Keyfold' },
  ];
  push.getDeliveredNotifications.mockResolvedValue({ notifications: shown });
  await removePushes(['a-1', 'c-3']);
  system.name = 'ios';
  expect(await findPushNames()).toContain('b-2');
  await removePushes(['b-2']);
  await removePushes(['c-3']);
  await removePushes([]);
  expect(push.removeDeliveredNotifications.mock.calls.map(([{ notifications }]) => notifications)).toEqual([
    [{ id: 0, tag: 'a-1', data: {} }],
    [{ id: 'b-2', data: {} }],
  ]);
  push.getDeliveredNotifications.mockRejectedValue(new Error('not registered'));
  expect(await findPushNames()).toEqual([]);
});

test('Android gets the channels named by the server, hidden on the lock screen, and iOS gets none', async () => {
  const words = { name: 'Name', description: 'Category' };
  await keepChannels({ mail: words, security: words });
  expect(push.createChannel.mock.calls.map(([{ id, visibility }]) => [id, visibility])).toEqual([
    ['mail', 0],
    ['security', 0],
  ]);
  system.name = 'ios';
  await keepChannels({ mail: words, security: words });
  expect(push.createChannel).toHaveBeenCalledTimes(2);
});
