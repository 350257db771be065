// Push ends together with the session. The device and the server are stubs.
import { beforeEach, expect, test, vi } from 'vitest';
import { endWorkers } from '../../crypto/worker/session-end.ts';

const { ended, isOn } = vi.hoisted(() => ({ ended: vi.fn(async () => undefined), isOn: vi.fn(() => true) }));
vi.mock('../calls/clients/notifications.ts', () => ({ notificationsClient: {} }));
vi.mock('./notifier.ts', () => ({ wordsOf: async () => null }));
vi.mock('../../platform/push.ts', () => ({ pushDevice: () => ({ platform: 'android' }) }));
vi.mock('./push.ts', () => ({ endPush: ended, isPushOn: isOn, refreshPush: async () => undefined }));
vi.stubGlobal('addEventListener', () => undefined);
vi.useFakeTimers();

const { startPushPage } = await import('./push-page.ts');
const { setSessionStatus } = await import('../state/session-state.ts');

beforeEach(() => {
  ended.mockClear();
  startPushPage();
});

test('signing out turns off push on this device, whatever the server answers', () => {
  setSessionStatus('in');
  endWorkers();
  expect(ended).toHaveBeenCalledOnce();
});

test('a session ended by the server keeps push for the same user, and push that is off is left alone', () => {
  setSessionStatus('expired');
  endWorkers();
  isOn.mockReturnValueOnce(false);
  setSessionStatus('in');
  endWorkers();
  expect(ended).not.toHaveBeenCalled();
});
