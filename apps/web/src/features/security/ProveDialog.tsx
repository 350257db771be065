// Asks for the second factor before it is weakened: turning off the authenticator app, removing a
// key. For new recovery codes it also asks for the password.
import { CallError } from '@keyfold/contract/client';
import { type FormEvent, useId, useState } from 'react';
import { t } from '../../lib/language.ts';
import {
  isFactorRefusal,
  SecondFactorField,
  useFactorProof,
} from '../../session/sign-in/SecondFactorField.tsx';
import type { OwnProof } from '../../session/trust/factor-proof.ts';
import { keyErrorText } from '../../session/trust/factor-proof.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { OwnPasswordField } from './OwnPasswordField.tsx';

type ProveDialogProps = {
  title: string;
  text: string;
  submitLabel: string;
  danger?: boolean;
  /** Also asks for the password of this address. */
  passwordOf?: string;
  isBusy: boolean;
  error: unknown;
  onSubmit: (proof: OwnProof, password: string) => void;
  onClose: () => void;
};

/** Open while mounted. */
export function ProveDialog(props: ProveDialogProps) {
  const { title, text, submitLabel, danger = false, passwordOf, isBusy, error, onSubmit, onClose } = props;
  const [password, setPassword] = useState('');
  const factor = useFactorProof();
  const form = useId();
  const isPasswordWrong = error instanceof CallError && error.code === 'password_wrong';
  const isReady = factor.isReady && (passwordOf === undefined || password !== '');
  const hasOther = error !== null && error !== undefined && !isPasswordWrong && !isFactorRefusal(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || !isReady) return;
    onSubmit(factor.proof, password);
    factor.clear();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      locked={isBusy}
      title={title}
      footer={
        <>
          <Button variant="outline" disabled={isBusy} onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            form={form}
            variant={danger ? 'danger' : 'primary'}
            busy={isBusy}
            disabled={!isReady && !isBusy}
          >
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-ink-2">{text}</p>
        {passwordOf !== undefined && (
          <OwnPasswordField
            email={passwordOf}
            value={password}
            onChange={setPassword}
            error={isPasswordWrong ? t('Incorrect password') : undefined}
          />
        )}
        <SecondFactorField factor={factor} error={error} />
        {hasOther && (
          <p role="alert" className="text-control text-danger">
            {keyErrorText(error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
