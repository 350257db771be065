// The login check when the program is entered, and the watch over a session that the server ends later (Spec §2). A
// thrown text is shown. Reached through entry.ts, so that the sign-in form comes without the schemas of every call.
import { t, term } from '../lib/language.ts';
import { showToast } from '../ui/toasts.ts';
import { onSessionLost } from './client.ts';
import { findUser } from './current-user.ts';
import { callErrorText } from './error-text.ts';
import { enter, isOfflineSession, loseSession, rejoin } from './session.ts';
import { sessionStatus } from './session-state.ts';

const expired = term('Session expired. Please login again.');

let isWatching = false;

/** Says so, and shows the sign-in form, when the server ends the session. Watches once, however often it is called. */
export function watchSession(): void {
  if (isWatching) return;
  isWatching = true;
  onSessionLost((why = expired) => {
    if (sessionStatus() !== 'in' || findUser() === null) return;
    if (isOfflineSession()) {
      void rejoin();
      return;
    }
    const text = t(why);
    void loseSession(why === expired ? undefined : text);
    // Over a page where somebody is writing the form itself says so.
    if (sessionStatus() !== 'expired') showToast({ tone: 'danger', text });
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
