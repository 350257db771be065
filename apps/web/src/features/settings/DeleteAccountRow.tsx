// Deletes the account permanently: explains what is lost, and asks for the address and the password
// (docs/interpretations.md#41).
import { CallError } from '@keyfold/contract/client';
import { type FormEvent, useId, useState } from 'react';
import { t } from '../../lib/language.ts';
import { signinPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { deleteAccount } from '../../session/sign-in/own-account.ts';
import {
  isFactorRefusal,
  SecondFactorField,
  useFactorProof,
} from '../../session/sign-in/SecondFactorField.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { TextField } from '../../ui/TextField.tsx';

type Problem = { readonly password?: string; readonly whole?: string; readonly factor?: unknown };

/** Errors that the server explains are shown with its text; all others share one sentence. */
function problemOf(error: unknown): Problem {
  if (!(error instanceof CallError) || error.status === 0) return { whole: t('Failed to delete account') };
  if (error.code === 'password_wrong') return { password: t('Incorrect password') };
  if (isFactorRefusal(error)) return { factor: error };
  if (error.code === 'last_owner' || error.code === 'admin_stays') return { whole: callErrorText(error) };
  return { whole: error.status === 429 ? callErrorText(error) : t('Failed to delete account') };
}

function DeleteAccountDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const [address, setAddress] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>({});
  const factor = useFactorProof();
  const form = useId();
  const isMeant = address.trim().toLowerCase() === email.toLowerCase() && password !== '' && factor.isReady;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isMeant || isBusy) return;
    setBusy(true);
    setProblem({});
    try {
      await deleteAccount(password, factor.proof);
      location.assign(signinPath);
    } catch (error) {
      setProblem(problemOf(error));
      if (factor.hasAnswer) factor.clear();
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isBusy}
      title={t('Delete account')}
      footer={
        <>
          <Button variant="outline" disabled={isBusy} onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={form} variant="danger" busy={isBusy} disabled={!isMeant}>
            {isBusy ? t('Deleting everything…') : t('Delete permanently')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={event => void submit(event)} className="flex flex-col gap-4">
        <p>
          {t(
            'All your mail, files, tags, signatures and keys are deleted immediately, and mail that hasn’t gone out yet won’t be sent. Nothing can be restored.',
          )}
        </p>
        <p className="text-ink-2">
          {t('Messages you sent stay with their recipients. Your address is never given to anyone else.')}
        </p>
        <TextField
          autoFocus
          label={t('Type {email} to confirm', { email })}
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={address}
          onChange={setAddress}
        />
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          error={problem.password}
        />
        <SecondFactorField factor={factor} error={problem.factor} />
        {problem.whole !== undefined && (
          <p role="alert" className="text-control text-danger">
            {problem.whole}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** Renders the last row of the page. */
export function DeleteAccountRow({ email }: { email: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <SettingsRow
      label={t('Delete account')}
      text={t('Deletes everything permanently. You’ll be asked for your password.')}
    >
      <Button variant="quietDanger" onClick={() => setAsking(true)}>
        {t('Delete account')}
      </Button>
      {isAsking && <DeleteAccountDialog email={email} onClose={() => setAsking(false)} />}
    </SettingsRow>
  );
}
