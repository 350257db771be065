// The login check at startup, and the reaction to a session that the server ends later
// (docs/spec-map.md 2.16, 2.17). The text of a thrown error is displayed. Loaded through entry.ts,
// so that the sign-in form does not include the schemas of every call.
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

/**
 * Shows a message and the sign-in form when the server ends the session. Repeated calls have no
 * effect.
 */
export function watchSession(): void {
  if (isWatching) return;
  isWatching = true;
  let isGoingOn = false;
  let wentOnAt = -POLL_INTERVAL_MS;
  const say = (text: string): void => {
    // Over a page with an open draft, the form itself shows the message.
    if (sessionStatus() === 'out') showToast({ tone: 'danger', text });
  };
  // Users who stay signed in can restore a session that ended after a day of sleep, as happens to
  // pages on phones.
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
    // A second loss shortly afterwards is accepted as final.
    if (why === expired && keepsMail() && performance.now() - wentOnAt > POLL_INTERVAL_MS) {
      void goOn();
      return;
    }
    // Any other reason is a complete sentence already, including text from an admin.
    const text = why === expired ? t(expired) : why;
    void loseSession(why === expired ? undefined : text);
    say(text);
  });
  addEventListener('online', () => {
    if (isOfflineSession()) void rejoin();
  });
  // A user signed in or out in another tab, so the cookie has changed and this page must not
  // continue as the previous user.
  addEventListener('storage', ({ key, newValue, oldValue }) => {
    const isSomebodyHere = sessionStatus() === 'in' || sessionStatus() === 'expired';
    if (isSomebodyHere && key === 'user' && newValue !== oldValue) location.reload();
  });
}

/** Checks the session unless that has been done or is in progress. */
export function enterOnce(): void {
  watchSession();
  if (sessionStatus() !== 'unknown') return;
  enter().catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}
