// Asks for the password, and for the second factor where one is on, and destroys keys that nothing needs any more; says before
// what is lost with them. Where that broke off before, the password goes on with it.
import type { RetiredState } from '@keyfold/contract';
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
import { destroyKeys } from '../../session/trust/key-rotation.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { keyErrorText } from './key-error.ts';
import { OwnPasswordField } from './OwnPasswordField.tsx';

type DestroyKeysDialogProps = {
  retired: RetiredState;
  /** What is known of the keys may be old after a failure. */
  onError: () => void;
  onClose: () => void;
};

/** Open while mounted; a success loads the page anew. */
export function DestroyKeysDialog({ retired, onError, onClose }: DestroyKeysDialogProps) {
  const user = useUser();
  const [password, setPassword] = useState('');
  const [remaining, setRemaining] = useState<number>();
  const factor = useFactorProof();
  const needsFactor = !retired.is_ending;
  const destroy = useMutation({
    mutationFn: () => destroyKeys(retired.key_id, password, needsFactor ? factor.proof : {}, setRemaining),
    onError: () => {
      if (factor.hasAnswer) factor.clear();
      onError();
    },
    onSuccess: () => location.reload(),
  });
  const isBusy = destroy.isPending || destroy.isSuccess;
  return (
    <FormDialog
      title={t('Destroy the old keys?')}
      submitLabel={t('Destroy')}
      danger
      isBusy={isBusy}
      problem={
        destroy.error === null || isFactorRefusal(destroy.error)
          ? null
          : keyErrorText(destroy.error, callErrorText)
      }
      onSubmit={() => {
        if (password !== '' && (factor.isReady || !needsFactor) && !isBusy) destroy.mutate();
      }}
      onClose={() => {
        if (!isBusy) onClose();
      }}
    >
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-ink-2">
        <li>{t('All mail on the server opens with your keys in use. It stays.')}</li>
        <li>
          {t('Who sealed old mail can no longer be proved: it will say that its sender is not proved.')}
        </li>
        <li>
          {t(
            'What only the old keys open is lost: backups of the server, and letters that wait unsaved on a device.',
          )}
        </li>
        <li>{t('This cannot be undone.')}</li>
      </ul>
      <OwnPasswordField
        email={user?.kdf_email ?? ''}
        value={password}
        onChange={next => {
          setPassword(next);
          destroy.reset();
        }}
      />
      {needsFactor && <SecondFactorField factor={factor} error={destroy.error} />}
      {isBusy && remaining !== undefined && (
        <p role="status" className="text-control text-ink-2">
          {t('{count, plural, one {# mail left} other {# mails left}}', { count: remaining })}
        </p>
      )}
    </FormDialog>
  );
}
