// Overlay for a session that ends while the user is writing. Signing in as the same user continues
// where they were, with everything they wrote; any other user leaves the page (docs/spec-map.md 2;
// docs/acceptance.md 84).
import type { FactorKind } from '@keyfold/contract/limits';
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { HiddenUsername } from '../../ui/HiddenUsername.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { queries } from '../calls/query-client.ts';
import { askAllAgain } from '../news/mail-news.ts';
import { getUser } from '../state/current-user.ts';
import { keepsMail } from '../state/offline-account.ts';
import { endReason, setSessionStatus } from '../state/session-state.ts';
import { signIn, signinErrorText } from './signin.ts';

const ExpiredSecondStep = lazy(async () => ({
  default: (await loadChunk('expired-second-step', () => import('./ExpiredSecondStep.tsx')))
    .ExpiredSecondStep,
}));

/** Asks only for the password; the address is that of the signed-in user. */
export function ExpiredSession() {
  const { kdf_email: email } = getUser();
  const [password, setPassword] = useState('');
  const [error, setError] = useState(endReason);
  const [isBusy, setBusy] = useState(false);
  const [factors, setFactors] = useState<readonly FactorKind[]>();
  const field = useRef<HTMLInputElement>(null);
  const leave = () => setSessionStatus('out');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || password === '') return;
    setBusy(true);
    setError(undefined);
    try {
      const result = await signIn(email, password, keepsMail());
      if (result === 'in') {
        await askAllAgain(queries);
        return;
      }
      setPassword('');
      setFactors(result);
      setBusy(false);
    } catch (cause) {
      setError(signinErrorText(cause));
      setBusy(false);
      field.current?.select();
    }
  };
  return (
    <Dialog open title={t('Session expired. Please login again.')} initialFocus={field}>
      {factors !== undefined ? (
        <Suspense>
          <ExpiredSecondStep
            half={{ email, keepSignedIn: keepsMail() }}
            factors={factors}
            onBack={reason => {
              setFactors(undefined);
              setError(reason);
            }}
          />
        </Suspense>
      ) : (
        <form onSubmit={event => void submit(event)} className="flex flex-col gap-4">
          <p className="text-ink-2">{t('What you wrote is still here.')}</p>
          <p className="font-medium break-all">
            <bdi>{email}</bdi>
          </p>
          <HiddenUsername name="username" address={email} />
          <PasswordField
            ref={field}
            label={t('Password')}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={setPassword}
            error={error}
          />
          <Button type="submit" size="lg" full busy={isBusy}>
            {isBusy ? t('Unlocking your mail…') : t('Sign in')}
          </Button>
          <Button variant="outline" size="lg" full disabled={isBusy} onClick={leave}>
            {t('Use another account')}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
