// What a page does when the server says that its session is over: who is kept signed in goes on with another, everybody else
// sees the form. The session itself and the server are stand-ins; kept-session.test.ts and the stories have them.
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

test('who is kept signed in goes on, asked once, and what is shown is asked for again', async () => {
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

test('who is not any more sees the form, and why', async () => {
  rejoin.mockImplementation(async () => {
    setSessionStatus('out');
    return false;
  });
  tell.lost();
  await vi.waitFor(() => expect(showToast).toHaveBeenCalledWith({ tone: 'danger', text }));
});

test('a try that broke leaves the next word to be heard', async () => {
  rejoin.mockRejectedValueOnce(new Error('The worker has gone'));
  tell.lost();
  await vi.waitFor(() => expect(rejoin).toHaveBeenCalledOnce());
  await new Promise(resolve => setTimeout(resolve, 0));
  rejoin.mockResolvedValue(true);
  tell.lost();
  await vi.waitFor(() => expect(wanted).toHaveBeenCalledOnce());
});

test('without an answer nothing is lost, and the next word is asked after', async () => {
  rejoin.mockResolvedValue(false);
  tell.lost();
  await vi.waitFor(() => expect(rejoin).toHaveBeenCalledOnce());
  await new Promise(resolve => setTimeout(resolve, 0));
  expect(showToast).not.toHaveBeenCalled();
  tell.lost();
  expect(rejoin).toHaveBeenCalledTimes(2);
  expect(loseSession).not.toHaveBeenCalled();
});

test('a server that says so again at once is believed', async () => {
  rejoin.mockResolvedValue(true);
  tell.lost();
  await vi.waitFor(() => expect(wanted).toHaveBeenCalledOnce());
  await new Promise(resolve => setTimeout(resolve, 0));
  tell.lost();
  expect(rejoin).toHaveBeenCalledOnce();
  expect(loseSession).toHaveBeenCalledOnce();
  expect(showToast).toHaveBeenCalledWith({ tone: 'danger', text });
});

test('a session of this visit alone is over at once, and so is one that the server ended for a reason', () => {
  keepsMail.mockReturnValue(false);
  tell.lost();
  expect(loseSession).toHaveBeenCalledWith(undefined);
  setSessionStatus('in');
  keepsMail.mockReturnValue(true);
  tell.lost('This account is suspended.');
  expect(loseSession).toHaveBeenLastCalledWith('This account is suspended.');
  expect(rejoin).not.toHaveBeenCalled();
});
