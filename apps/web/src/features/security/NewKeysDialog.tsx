// Asks for the password and makes new keys; says before what that means for oneself and for others.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import {
  isFactorRefusal,
  SecondFactorField,
  useFactorProof,
} from '../../session/sign-in/SecondFactorField.tsx';
import { useUser } from '../../session/state/current-user.ts';
import { makeNewKeys } from '../../session/trust/key-rotation.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { keyErrorText } from './key-error.ts';
import { OwnPasswordField } from './OwnPasswordField.tsx';

/** Open while mounted; a success loads the page anew. */
export function NewKeysDialog({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const [password, setPassword] = useState('');
  const factor = useFactorProof();
  const make = useMutation({
    mutationFn: () => makeNewKeys(password, factor.proof),
    onError: () => {
      if (factor.hasAnswer) factor.clear();
    },
    onSuccess: () => location.reload(),
  });
  const isBusy = make.isPending || make.isSuccess;
  return (
    <FormDialog
      title={t('Make new keys?')}
      submitLabel={t('Make new keys')}
      isBusy={isBusy}
      problem={
        make.error === null || isFactorRefusal(make.error) ? null : keyErrorText(make.error, callErrorText)
      }
      onSubmit={() => {
        if (password !== '' && factor.isReady && !isBusy) make.mutate();
      }}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-ink-2">
        <li>{t('New mail is sealed to the new keys, at all your addresses.')}</li>
        <li>
          {t(
            'The old ones are kept, locked with the new, until old mail has been wrapped anew in the background.',
          )}
        </li>
        <li>
          {t(
            'People who know you are told that your key has changed, and send you nothing until they have accepted it.',
          )}
        </li>
        <li>{t('All other sessions end, and so does the recovery kit.')}</li>
      </ul>
      <OwnPasswordField
        email={user?.kdf_email ?? ''}
        value={password}
        onChange={next => {
          setPassword(next);
          make.reset();
        }}
      />
      <SecondFactorField factor={factor} error={make.error} />
    </FormDialog>
  );
}
