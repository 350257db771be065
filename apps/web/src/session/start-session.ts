// Runs the login check when the program is entered, on every address but sign-up, sign-in and link (Spec §2). A thrown
// text is shown; a session that the server ends later is shown too.
import { needsLoginCheck } from '../paths.ts';
import { showToast } from '../ui/toasts.ts';
import { onSessionLost } from './client.ts';
import { findUser } from './current-user.ts';
import { callErrorText } from './error-text.ts';
import { enter } from './session.ts';
import { sessionStatus, setSessionStatus } from './session-state.ts';

const expired = 'Session expired. Please login again.';

/** Call once, before the first screen. */
export function startSession(pathname: string): void {
  onSessionLost(() => {
    if (sessionStatus() !== 'in' || findUser() === null) return;
    showToast({ tone: 'danger', text: expired });
    setSessionStatus('out');
  });
  if (needsLoginCheck(pathname)) enterOnce();
}

/** Checks the session unless that was done or is under way. */
export function enterOnce(): void {
  if (sessionStatus() !== 'unknown') return;
  enter().catch(error => showToast({ tone: 'danger', text: callErrorText(error) }));
}
