// Stands before every screen that needs a login: nothing for 200 ms, then a spinner, then the screen or the sign-in form.
// After signing in people land where they wanted to go. Spec §2 "Protected routes".
import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { signinPath } from '../paths.ts';
import { quietWaitMs, slowSigninMs } from '../timing.ts';
import { Button } from '../ui/Button.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { enterSession } from './entry.ts';
import { useSessionStatus } from './session-state.ts';

/** true after `waitMs` milliseconds on the screen. */
function useLaterThan(waitMs: number): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), waitMs);
    return () => clearTimeout(timer);
  }, [waitMs]);
  return isLater;
}

/** The spinner while the session is checked; `onRetry` is offered after ten seconds. */
function SigningIn({ onRetry }: { onRetry: () => void }) {
  const isVisible = useLaterThan(quietWaitMs);
  const isSlow = useLaterThan(slowSigninMs);
  if (!isVisible) return null;
  return (
    <div
      role="status"
      className="grid h-dvh place-content-center justify-items-center gap-3 text-control text-ink-2"
    >
      <Spinner size={26} className="text-accent" />
      {isSlow ? 'This takes longer than usual' : 'Signing in'}
      {isSlow && (
        <Button variant="outline" size="sm" onClick={onRetry}>
          Retry
        </Button>
      )}
    </div>
  );
}

/** The protected routes inside, or the way to the sign-in form. */
export function SessionGate() {
  const status = useSessionStatus();
  const location = useLocation();
  useEffect(() => {
    // Reached from sign-up, sign-in or link, where nothing was checked yet.
    if (status === 'unknown') enterSession();
  }, [status]);
  if (status === 'in') return <Outlet />;
  if (status === 'out') {
    return <Navigate to={signinPath} replace state={{ from: location.pathname + location.search }} />;
  }
  return <SigningIn onRetry={() => globalThis.location.reload()} />;
}
