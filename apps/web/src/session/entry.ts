// Starts the login check without being part of the first chunk: its code is fetched in parallel
// with the first screen.
import { loadChunk } from '../lib/load-chunk.ts';
import { needsLoginCheck } from '../paths.ts';
import { showToast } from '../ui/toasts.ts';
import { setSessionStatus } from './state/session-state.ts';

/**
 * Checks the session unless that has been done or is in progress. Ends with the status `in` or
 * `out`.
 */
export function enterSession(): void {
  loadChunk('session', () => import('./start-session.ts')).then(
    ({ enterOnce }) => enterOnce(),
    (error: Error) => {
      showToast({ tone: 'danger', text: error.message });
      setSessionStatus('out');
    },
  );
}

/**
 * Runs the check on entry, on every address except sign-up, sign-in and link. Call once, before the
 * first screen.
 */
export function enterAt(pathname: string): void {
  if (needsLoginCheck(pathname)) enterSession();
}
