// Starts the login check without being part of the first chunk: what it needs is fetched beside the first screen.
import { loadChunk } from '../lib/load-chunk.ts';
import { needsLoginCheck } from '../paths.ts';
import { showToast } from '../ui/toasts.ts';
import { setSessionStatus } from './state/session-state.ts';

/** Checks the session unless that was done or is under way. Ends with the status `in` or `out`. */
export function enterSession(): void {
  loadChunk('session', () => import('./start-session.ts')).then(
    ({ enterOnce }) => enterOnce(),
    (error: Error) => {
      showToast({ tone: 'danger', text: error.message });
      setSessionStatus('out');
    },
  );
}

/** The check on entry, on every address but sign-up, sign-in and link. Call once, before the first screen. */
export function enterAt(pathname: string): void {
  if (needsLoginCheck(pathname)) enterSession();
}
