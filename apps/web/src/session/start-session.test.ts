// What a page does when the server reports that its session is over: users who stay signed in
// continue with another session, all others see the form. The session itself and the server are
// stubs; kept-session.test.ts and the stories cover them.
import { beforeEach, expect, test, vi } from 'vitest';

const { rejoin, loseSession, showToast, tell, keepsMail } = vi.hoisted(() => ({
  rejoin: vi.fn(),
  loseSession: vi.fn(),
  showToast: vi.fn(),
  tell: { lost: (_why?: string): void => undefined },
  keepsMail: vi.fn(() => true),
}));
vi.mock('./session.ts', () => ({ rejoin, loseSession, enter: vi.fn(), isOfflineSession: () => false }));
vi.mock('./calls/client.ts', () => ({
  onSessionLost: (listener: () => void) => {
    tell.lost = listener;
  },
}));
vi.mock('./state/current-user.ts', () => ({ findUser: () => ({}) }));
vi.mock('./state/offline-account.ts', () => ({ keepsMail }));
vi.mock('../ui/toasts.ts', () => ({ showToast }));

const now = vi.spyOn(performance, 'now');
const events = new EventTarget();
vi.stubGlobal('window', events);
vi.stubGlobal('addEventListener', () => undefined);

const { watchSession } = await import('./start-session.ts');
const { setSessionStatus } = await import('./state/session-state.ts');
const { mailWanted } = await import('./news/mail-news.ts');
watchSession();
const wanted = vi.fn();
events.addEventListener(mailWanted, wanted);

const text = 'Session expired. Please login again.';
let clock = 1_000;

beforeEach(() => {
  clock += 3_600_000;
  now.mockImplementation(() => clock);
  for (const one of [rejoin, loseSession, showToast, wanted]) one.mockReset();
  loseSession.mockImplementation(async () => setSessionStatus('out'));
  keepsMail.mockReturnValue(true);
  setSessionStatus('in');
});

test('a lost session that is kept is restored with one request, and the visible data is refetched', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  rejoin.mockReturnValue(promise);
  tell.lost();
  tell.lost();
  resolve(true);
  await vi.waitFor(() => expect(wanted).toHaveBeenCalledOnce());
  expect(rejoin).toHaveBeenCalledOnce();
  expect(loseSession).not.toHaveBeenCalled();
  expect(showToast).not.toHaveBeenCalled();
});

test('a session that cannot be restored shows the sign-in form and the reason', async () => {
  rejoin.mockImplementation(async () => {
    setSessionStatus('out');
    return false;
  });
  tell.lost();
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledWith({ tone: 'danger', text }));
});

test('after a failed restore, the next lost-session event is handled', async () => {
  rejoin.mockRejectedValueOnce(new Error('The worker has gone'));
  tell.lost();
  await vi.waitFor(() => expect(rejoin).toHaveBeenCalledOnce());
  await new Promise(resolve => setTimeout(resolve, 0));
  rejoin.mockResolvedValue(true);
  tell.lost();
  await vi.waitFor(() => expect(wanted).toHaveBeenCalledOnce());
});

test('without an answer the session is kept, and the next event tries again', async () => {
  rejoin.mockResolvedValue(false);
  tell.lost();
  await vi.waitFor(() => expect(rejoin).toHaveBeenCalledOnce());
  await new Promise(resolve => setTimeout(resolve, 0));
  expect(showToast).not.toHaveBeenCalled();
  tell.lost();
  expect(rejoin).toHaveBeenCalledTimes(2);
  expect(loseSession).not.toHaveBeenCalled();
});

test('a second lost-session event right after a restore ends the session', async () => {
  rejoin.mockResolvedValue(true);
  tell.lost();
  await vi.waitFor(() => expect(wanted).toHaveBeenCalledOnce());
  await new Promise(resolve => setTimeout(resolve, 0));
  tell.lost();
  expect(rejoin).toHaveBeenCalledOnce();
  expect(loseSession).toHaveBeenCalledOnce();
  expect(showToast).toHaveBeenCalledWith({ tone: 'danger', text });
});

test('a session that is not kept, or that the server ended with a reason, ends at once', () => {
  keepsMail.mockReturnValue(false);
  tell.lost();
  expect(loseSession).toHaveBeenCalledWith(undefined);
  setSessionStatus('in');
  keepsMail.mockReturnValue(true);
  tell.lost('This account is suspended.');
  expect(loseSession).toHaveBeenLastCalledWith('This account is suspended.');
  expect(rejoin).not.toHaveBeenCalled();
});
