// Guards every screen that needs a login: nothing for 200 ms, then a spinner, then the screen or
// the sign-in form. After signing in, users reach the page they requested. docs/spec-map.md 2.18.
import { lazy, Suspense, useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { signinPath } from '../../paths.ts';
import { QUIET_WAIT_MS, SLOW_SIGNIN_MS } from '../../timing.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { enterSession } from '../entry.ts';
import { placeAfter, useSessionStatus } from '../state/session-state.ts';

const ExpiredSession = lazy(async () => ({
  default: (await loadChunk('session', () => import('./ExpiredSession.tsx'))).ExpiredSession,
}));

/** Returns true once the component has been mounted for `waitMs` milliseconds. */
function useLaterThan(waitMs: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return isLater;
}

/** Spinner while the session is checked; `onRetry` is offered after ten seconds. */
function SigningIn({ onRetry }: { onRetry: () => void }) {
  const isVisible = useLaterThan(QUIET_WAIT_MS);
  const isSlow = useLaterThan(SLOW_SIGNIN_MS);
  if (!isVisible) return null;
  return (
    <div
      role="status"
      className="grid h-dvh place-content-center justify-items-center gap-3 text-control text-ink-2"
    >
      <Spinner size={26} className="text-accent" />
      {isSlow ? t('This is taking longer than usual') : t('Signing in…')}
      {isSlow && (
        <Button variant="outline" size="sm" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}

/** Renders the protected routes, or redirects to the sign-in form. */
export function SessionGate() {
  const status = useSessionStatus();
  const location = useLocation();
  useEffect(() => {
    // Reached from sign-up, sign-in or link, which skip the check.
    if (status === 'unknown') enterSession();
  }, [status]);
  if (status === 'in' || status === 'expired')
    return (
      <>
        <Outlet />
        {status === 'expired' && (
          <Suspense>
            <ExpiredSession />
          </Suspense>
        )}
      </>
    );
  if (status === 'out' || status === 'locked') {
    return <Navigate to={signinPath} replace state={placeAfter(location.pathname + location.search)} />;
  }
  return <SigningIn onRetry={() => globalThis.location.reload()} />;
}
