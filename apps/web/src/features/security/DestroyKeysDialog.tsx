// Asks for the password, and for the second factor when one is enabled, and destroys keys that are
// no longer needed. First explains what is lost with them. If an earlier attempt was interrupted,
// the password resumes it.
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
  /** After a failure, the displayed state of the keys may be outdated. */
  onError: () => void;
  onClose: () => void;
};

/** Open while mounted; success reloads the page. */
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
      title={t('Delete old keys?')}
      submitLabel={t('Delete keys')}
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
        <li>{t('Your mail stays on the server, and your current keys open all of it.')}</li>
        <li>{t('Senders of old messages can no longer be confirmed, and those messages will say so.')}</li>
        <li>
          {t(
            'Anything that only the old keys can open is lost: mail in server backups and unsaved drafts on a device.',
          )}
        </li>
        <li>{t('This can’t be undone.')}</li>
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
          {t('{count, plural, one {# message left} other {# messages left}}', { count: remaining })}
        </p>
      )}
    </FormDialog>
  );
}
