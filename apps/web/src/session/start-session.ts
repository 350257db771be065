// The login check when the program is entered, and the watch over a session that the server ends later (docs/spec-map.md 2.16,
// 2.17). A thrown text is shown. Reached through entry.ts, so that the sign-in form comes without the schemas of every call.
import { t, term } from '../lib/language.ts';
import { POLL_INTERVAL_MS } from '../timing.ts';
import { showToast } from '../ui/toasts.ts';
import { onSessionLost } from './calls/client.ts';
import { callErrorText } from './calls/error-text.ts';
import { mailWanted } from './news/mail-news.ts';
import { enter, isOfflineSession, loseSession, rejoin } from './session.ts';
import { findUser } from './state/current-user.ts';
import { keepsMail } from './state/offline-account.ts';
import { sessionStatus } from './state/session-state.ts';

const expired = term('Session expired. Please login again.');

let isWatching = false;

/** Says so, and shows the sign-in form, when the server ends the session. Watches once, however often it is called. */
export function watchSession(): void {
  if (isWatching) return;
  isWatching = true;
  let isGoingOn = false;
  let wentOnAt = -POLL_INTERVAL_MS;
  const say = (text: string): void => {
    // Over a page where somebody is writing the form itself says so.
    if (sessionStatus() === 'out') showToast({ tone: 'danger', text });
  };
  // Who is kept signed in has more than this session, which is over after a day of sleep, as pages on phones have them.
  const goOn = async (): Promise<void> => {
    isGoingOn = true;
    const isBack = await rejoin().catch(() => false);
    isGoingOn = false;
    if (isBack) {
      wentOnAt = performance.now();
      window.dispatchEvent(new CustomEvent(mailWanted));
    } else say(t(expired));
  };
  onSessionLost((why = expired) => {
    if (isGoingOn || sessionStatus() !== 'in' || findUser() === null) return;
    if (isOfflineSession()) {
      void rejoin();
      return;
    }
    // A second word so soon is believed.
    if (why === expired && keepsMail() && performance.now() - wentOnAt > POLL_INTERVAL_MS) {
      void goOn();
      return;
    }
    // Any other word is a sentence already, with what an admin typed in it.
    const text = why === expired ? t(expired) : why;
    void loseSession(why === expired ? undefined : text);
    say(text);
  });
  addEventListener('online', () => {
    if (isOfflineSession()) void rejoin();
  });
  // Somebody signed in or out in another tab: the cookie is theirs now, so this page must not go on as who it was.
  addEventListener('storage', ({ key, newValue, oldValue }) => {
    const isSomebodyHere = sessionStatus() === 'in' || sessionStatus() === 'expired';
    if (isSomebodyHere && key === 'user' && newValue !== oldValue) location.reload();
  });
}

/** Checks the session unless that was done or is under way. */
export function enterOnce(): void {
  watchSession();
  if (sessionStatus() !== 'unknown') return;
  enter().catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}
