// What a start in the native shell does before the first screen. The phone, the check on entry and
// the screens are stubs; the story native.test.ts covers them together.
import { beforeEach, expect, test, vi } from 'vitest';
import type { LinkTarget } from '../../native/links.ts';

const { enterAt, followLinks, forgetSharedCopies } = vi.hoisted(() => ({
  forgetSharedCopies: vi.fn(async () => undefined),
  enterAt: vi.fn(),
  followLinks: vi.fn(async (_ownHost: string, _open: (target: LinkTarget) => void) => undefined),
}));
vi.mock('../entry.ts', () => ({ enterAt }));
vi.mock('../news/phone-push.ts', () => ({ startPhonePush: async () => undefined }));
vi.mock('../news/unread-badge.ts', () => ({ followUnread: () => undefined }));
vi.mock('./biometric-login.ts', () => ({
  isBiometricOn: () => stored.has('biometric_enabled'),
  findBiometricNotice: () => null,
  dropBiometrics: async () => undefined,
  dropLeftovers: async () => undefined,
}));
vi.mock('../../native/back-button.ts', () => ({ followBackButton: () => undefined }));
vi.mock('../../native/one-window.ts', () => ({ keepOneWindow: () => undefined }));
vi.mock('../../native/opened-links.ts', () => ({ followLinks }));
vi.mock('../../native/shared-files.ts', () => ({ readSharedFiles: async () => [], forgetSharedCopies }));
vi.mock('../../ui/toasts.ts', () => ({ showToast: () => undefined }));

const { startNative, takeFirstQuestion, takeWanted } = await import('./native-start.ts');
const { sessionStatus, setSessionStatus } = await import('../state/session-state.ts');

const stored = new Map<string, string>();
vi.stubGlobal('Capacitor', { isNativePlatform: () => true });
vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null });
const navigate = vi.fn(async (_path: string, _options?: { readonly state: unknown }) => undefined);
async function start(pathname: string) {
  vi.stubGlobal('location', { pathname, origin: 'https://localhost' });
  await startNative({ navigate });
}

beforeEach(() => {
  stored.clear();
  setSessionStatus('unknown');
  takeFirstQuestion();
  enterAt.mockClear();
  navigate.mockClear();
  forgetSharedCopies.mockClear();
});

test.each(['/app/inbox/recieved/0', '/', '/app/signin', '/app/signup', '/app/link'])(
  'with biometrics on, a start at %s is signed out and does not check for a session',
  async pathname => {
    stored.set('biometric_enabled', 'true');
    await start(pathname);
    expect(sessionStatus()).toBe('out');
    expect(enterAt).not.toHaveBeenCalled();
    expect(takeFirstQuestion()).toBe(true);
    expect(takeFirstQuestion()).toBe(false);
  },
);

test('with biometrics off, the start checks for a session', async () => {
  await start('/app/inbox/recieved/0');
  expect(enterAt).toHaveBeenCalledWith('/app/inbox/recieved/0');
  expect(sessionStatus()).toBe('unknown');
  expect(takeFirstQuestion()).toBe(false);
});

test('links of the chosen server are internal; without one, links of the page’s host are', async () => {
  await start('/app/inbox/recieved/0');
  stored.set('server_address', 'https://mail.example:8443');
  await start('/app/inbox/recieved/0');
  expect(followLinks.mock.calls.slice(-2).map(([host]) => host)).toEqual(['localhost', 'mail.example:8443']);
});

test('a link waits for the sign-in form while signed out, and otherwise opens its screen', async () => {
  stored.set('biometric_enabled', 'true');
  await start('/');
  const [, open] = followLinks.mock.calls.at(-1) ?? [];
  open?.({ kind: 'hash', hash: '#/email/5' });
  expect(navigate).toHaveBeenLastCalledWith('/app/signin', { state: { from: '/app/inbox/all/0?m=5' } });
  expect([takeWanted(), takeWanted()]).toEqual(['/app/inbox/all/0?m=5', null]);
  open?.({ kind: 'hash', hash: '#/email/6' });
  setSessionStatus('in');
  expect(takeWanted()).toBeNull();
  open?.({ kind: 'hash', hash: '#/security' });
  expect(navigate).toHaveBeenLastCalledWith('/app/security');
});

test('copies of shared files are deleted after the start has read its own, and with the session', async () => {
  let callsBefore = -1;
  followLinks.mockImplementationOnce(async () => {
    callsBefore = forgetSharedCopies.mock.calls.length;
    return undefined;
  });
  await start('/');
  expect(callsBefore).toBe(0);
  expect(forgetSharedCopies).toHaveBeenCalledTimes(1);
  setSessionStatus('in');
  expect(forgetSharedCopies).toHaveBeenCalledTimes(1);
  setSessionStatus('out');
  expect(forgetSharedCopies.mock.calls.length).toBeGreaterThan(1);
});
