// Renames a passkey or security key.
import type { OwnPasskey } from '@keyfold/contract';
import { PASSKEY_NAME_MAX_CHARACTERS } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { useFactorChange } from './factor-queries.ts';

type RenameKeyDialogProps = {
  passkey: OwnPasskey;
  onClose: () => void;
};

/** Open while mounted. */
export function RenameKeyDialog({ passkey, onClose }: RenameKeyDialogProps) {
  const [name, setName] = useState(passkey.name);
  const change = useFactorChange();
  const submit = () => {
    if (change.isPending || name.trim() === '') return;
    change.mutate({ kind: 'rename_key', id: passkey.id, name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={t('Rename key')}
      isBusy={change.isPending}
      problem={change.error === null ? null : callErrorText(change.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        autoFocus
        label={t('Key name')}
        autoComplete="off"
        maxLength={PASSKEY_NAME_MAX_CHARACTERS}
        value={name}
        onChange={setName}
        error={name.trim() === '' ? t('Enter a name') : undefined}
      />
    </FormDialog>
  );
}
