// Connected sign-in page: derives the credentials, sends them, then opens the page that the user
// wanted. The same text for every kind of refusal (docs/interface.md#states;
// docs/interpretations.md#88).
import type { FactorKind } from '@keyfold/contract/limits';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { loadChunk } from '../../lib/load-chunk.ts';
import { isOnline } from '../../lib/online.ts';
import { isNative } from '../../native/is-native.ts';
import { recoverPath, signupPath } from '../../paths.ts';
import { enterSession } from '../../session/entry.ts';
import { isEntering, isKnownHere } from '../../session/sign-in/known-here.ts';
import { startPath } from '../../session/state/preferences.ts';
import { endReason, useSessionStatus } from '../../session/state/session-state.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import type { BiometricSignin } from './BiometricSignin.tsx';
import { SigninScreen, type SigninValues } from './SigninScreen.tsx';

/**
 * Loaded when the form is first touched: the schemas and the worker's client are larger than the
 * form itself.
 */
const loadSignin = () => loadChunk('session', () => import('../../session/sign-in/signin.ts'));

const OfflinePage = lazy(async () => ({
  default: (await loadChunk('offline', () => import('./OfflinePage.tsx'))).OfflinePage,
}));

const SecondStep = lazy(async () => ({
  default: (await loadChunk('second-step', () => import('./SecondStep.tsx'))).SecondStep,
}));

const BiometricOffer = lazy(async () => ({
  default: (await loadChunk('biometrics', () => import('./BiometricOffer.tsx'))).BiometricOffer,
}));

const warm = () => void loadSignin().catch(() => undefined);

/** An input that cannot be completed stays as typed, and the form says what is missing. */
const completeAddress = (typed: string): Promise<string> =>
  loadSignin().then(
    signin => signin.completeAddress(typed),
    () => typed,
  );

/**
 * Returns the page that the visitor wanted before the sign-in form; accepts only URLs of this app.
 */
export function targetOf(state: unknown): string {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  return typeof from === 'string' && from.startsWith('/app/') ? from : startPath();
}

type SigninPageProps = {
  /** Shown below the form in the native shell. */
  Biometrics?: typeof BiometricSignin;
};

/**
 * Loads the page for the route. In the native shell all parts load together: parts that load later
 * would move the vertically centered form, and the button under a finger.
 */
export async function fetchSigninScreen() {
  if (!isNative()) return { Component: SigninPage };
  const biometrics = await loadChunk('biometrics', () => import('./BiometricSignin.tsx'));
  return { element: <SigninPage Biometrics={biometrics.BiometricSignin} /> };
}

function SigninPage({ Biometrics }: SigninPageProps) {
  const status = useSessionStatus();
  const location = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(endReason);
  const [half, setHalf] = useState<{ values: SigninValues; factors: readonly FactorKind[] }>();
  /** On a phone that stays signed in, biometrics are offered before the app continues. */
  const [isOffering, setOffering] = useState(false);
  const isUnderWay = useRef(false);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Signing in requires a connection: the entry check finds out what is possible without one. A
    // signed-in user continues; in the native shell its start handles that.
    if (status === 'unknown' && (!isOnline() || (!isNative() && isKnownHere()))) enterSession();
  }, [status]);
  if (status === 'in' && isOffering) {
    return (
      <Suspense>
        <BiometricOffer onDone={() => setOffering(false)} />
      </Suspense>
    );
  }
  // The only navigation away: the target may change while a question is open, and the code that
  // asked knows only the old one.
  if (status === 'in') return <Navigate to={targetOf(location.state)} replace />;
  if (status === 'locked') {
    return (
      <Suspense>
        <OfflinePage />
      </Suspense>
    );
  }
  if (!isUnderWay.current && !isNative() && half === undefined && isEntering(status))
    return <Spinner size={24} />;
  const submit = async ({ email, password, keepSignedIn }: SigninValues) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setError(undefined);
    const isOffered = isNative() && keepSignedIn;
    setOffering(isOffered);
    try {
      const { signIn, signinErrorText } = await loadSignin();
      try {
        const result = await signIn(email, password, keepSignedIn);
        if (result === 'in') return;
        setHalf({ values: { email, password: '', keepSignedIn }, factors: result });
      } catch (cause) {
        setError(signinErrorText(cause));
      }
    } catch (chunkError) {
      setError((chunkError as Error).message);
    }
    isUnderWay.current = false;
    setBusy(false);
  };
  if (half !== undefined) {
    return (
      <Suspense>
        <SecondStep
          half={half.values}
          factors={half.factors}
          onBack={reason => {
            setHalf(undefined);
            setError(reason);
          }}
        />
      </Suspense>
    );
  }
  return (
    <div ref={form} onFocusCapture={warm}>
      <SigninScreen
        isBusy={isBusy}
        error={error}
        completeAddress={completeAddress}
        onSubmit={values => void submit(values)}
        biometrics={
          Biometrics !== undefined && (
            <Biometrics
              isDisabled={isBusy}
              onPassword={() =>
                form.current?.querySelector<HTMLInputElement>('input[name="password"]')?.focus()
              }
            />
          )
        }
        recoverPath={recoverPath}
        signupPath={signupPath}
      />
    </div>
  );
}
