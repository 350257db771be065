// Asks for the password and creates new keys. First explains what that means for the user and for
// others.
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

/** Open while mounted; success reloads the page. */
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
      title={t('Create new keys?')}
      submitLabel={t('Create new keys')}
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
        <li>{t('New mail to all your addresses is encrypted with the new keys.')}</li>
        <li>
          {t(
            'Your old keys are kept, encrypted with the new ones, while old mail is updated to the new keys in the background. You can delete them afterward.',
          )}
        </li>
        <li>
          {t(
            'People who already have your old key see that it changed and must accept the new one before they can send you messages.',
          )}
        </li>
        <li>{t('All other sessions end, and your current recovery kit stops working.')}</li>
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
