// Adds a passkey or security key: a name, the password again, and the browser's prompt. Adding the
// first second factor also shows the recovery codes.
import { CallError } from '@keyfold/contract/client';
import { PASSKEY_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import {
  isFactorRefusal,
  SecondFactorField,
  useFactorProof,
} from '../../session/sign-in/SecondFactorField.tsx';
import { keyErrorText } from '../../session/trust/factor-proof.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useFactorChange } from './factor-queries.ts';
import { OwnPasswordField } from './OwnPasswordField.tsx';
import { RecoveryCodesView } from './RecoveryCodesView.tsx';

type AddKeyDialogProps = {
  email: string;
  onClose: () => void;
};

/** Open while mounted. */
export function AddKeyDialog({ email, onClose }: AddKeyDialogProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [isVisited, setVisited] = useState(false);
  const [isProved, setProved] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>([]);
  const factor = useFactorProof();
  const change = useFactorChange();
  const { error } = change;
  const isPasswordWrong = error instanceof CallError && error.code === 'password_wrong';
  // Once the server checks the browser's answer, a "wrong" refers to the new key and no longer to
  // the second factor.
  const isOfProof = factor.isOn && !isProved && isFactorRefusal(error);
  const submit = () => {
    setVisited(true);
    if (change.isPending || name.trim() === '' || password === '' || !factor.isReady) return;
    setProved(false);
    change.mutate(
      {
        kind: 'add_key',
        name: name.trim(),
        password,
        proof: factor.proof,
        onProved: () => setProved(true),
      },
      {
        onSuccess: made => (made.length === 0 ? onClose() : setCodes(made)),
        onSettled: () => factor.clear(),
      },
    );
  };
  if (codes.length > 0) {
    return (
      <Dialog open locked title={t('Your recovery codes')}>
        <RecoveryCodesView email={email} codes={codes} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={t('Add a passkey or security key')}
      submitLabel={change.isPending ? t('Waiting for your key…') : t('Continue')}
      isBusy={change.isPending}
      problem={error === null || isPasswordWrong || isOfProof ? null : keyErrorText(error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="text-ink-2">
        {t('Next, your browser asks you to touch the key or confirm on your device.')}
      </p>
      <TextField
        label={t('Key name')}
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX_CHARACTERS}
        value={name}
        onChange={setName}
        hint={t('A name you’ll recognize, such as “Blue key”')}
        error={isVisited && name.trim() === '' ? t('Enter a name') : undefined}
      />
      <OwnPasswordField
        email={email}
        value={password}
        onChange={setPassword}
        error={
          isPasswordWrong
            ? t('Incorrect password')
            : isVisited && password === ''
              ? t('Enter your password')
              : undefined
        }
      />
      <SecondFactorField factor={factor} error={isOfProof ? error : undefined} />
    </FormDialog>
  );
}
