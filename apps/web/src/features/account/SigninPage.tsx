// Sign-in, connected: derives and sends what the form asks for, then leads where the person wanted to go. One text for
// every kind of refusal (ux 2.3; readings 88).
import { CallError } from '@keyfold/contract/client';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { inboxPath, signupPath } from '../../paths.ts';
import { callErrorText } from '../../session/error-text.ts';
import { signIn } from '../../session/session.ts';
import { useSessionStatus } from '../../session/session-state.ts';
import { SigninScreen, type SigninValues } from './SigninScreen.tsx';

const wrongPassword = 'Wrong address or password';

/** Where a visitor was going before the sign-in form stood in the way; only addresses of this program count. */
export function targetOf(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'string' && from.startsWith('/app/') ? from : inboxPath;
}

const textOf = (error: unknown): string =>
  error instanceof CallError && error.status === 401 ? wrongPassword : callErrorText(error);

/** `/app/signin`. */
export function SigninPage() {
  const status = useSessionStatus();
  const location = useLocation();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  if (status === 'in') return <Navigate to={targetOf(location.state)} replace />;
  const submit = async ({ email, password, keepSignedIn }: SigninValues) => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(email, password, keepSignedIn);
      void navigate(targetOf(location.state), { replace: true });
    } catch (cause) {
      setError(textOf(cause));
      setBusy(false);
    }
  };
  return (
    <SigninScreen
      step="password"
      isBusy={isBusy}
      error={error}
      onSubmit={values => void submit(values)}
      signupPath={signupPath}
    />
  );
}
