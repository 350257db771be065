// `/app/security/password`: changes the password. The keys stay and are re-encrypted, so the mail
// stays too (docs/interpretations.md#13).
import { CallError } from '@keyfold/contract/client';
import { findPasswordProblem } from '@keyfold/contract/limits';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { changePassword } from '../../session/sign-in/own-account.ts';
import {
  isFactorRefusal,
  SecondFactorField,
  useFactorProof,
} from '../../session/sign-in/SecondFactorField.tsx';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { showToast } from '../../ui/toasts.ts';
import { NewPasswordField } from '../auth/NewPasswordField.tsx';

export function PasswordPage() {
  const user = useUser();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [isVisited, setVisited] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const factor = useFactorProof();
  const broken = findPasswordProblem(next);
  const isWrong = error instanceof CallError && error.code === 'password_wrong';
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setVisited(true);
    if (isBusy || old === '' || broken !== null || !factor.isReady) return;
    setBusy(true);
    setError(undefined);
    try {
      await changePassword(old, next, factor.proof);
      setOld('');
      setNext('');
      setVisited(false);
      factor.clear();
      showToast({ tone: 'success', text: t('Password changed. All other sessions have ended.') });
    } catch (cause) {
      setError(cause);
    } finally {
      if (factor.hasAnswer) factor.clear();
      setBusy(false);
    }
  };
  return (
    <SettingsPage
      title={t('Password')}
      text={t(
        'Changing your password keeps your mail. Your keys are locked with the new password, and all other sessions end.',
      )}
    >
      <form noValidate onSubmit={event => void submit(event)} className="flex max-w-96 flex-col gap-4">
        <input type="hidden" name="username" autoComplete="username" value={user?.kdf_email ?? ''} />
        <PasswordField
          label={t('Current password')}
          name="current-password"
          autoComplete="current-password"
          value={old}
          onChange={setOld}
          error={
            isWrong ? t('Incorrect password') : isVisited && old === '' ? t('Enter your password') : undefined
          }
        />
        <NewPasswordField
          value={next}
          onChange={setNext}
          isVisited={isVisited}
          onVisited={() => setVisited(true)}
        />
        <SecondFactorField factor={factor} error={error} />
        {error !== undefined && !isWrong && !isFactorRefusal(error) && (
          <p role="alert" className="text-control text-danger">
            {callErrorText(error)}
          </p>
        )}
        <Button type="submit" busy={isBusy} disabled={!factor.isReady} className="self-start">
          {isBusy ? t('Locking your keys…') : t('Change password')}
        </Button>
      </form>
    </SettingsPage>
  );
}
