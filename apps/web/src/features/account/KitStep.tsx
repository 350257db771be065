// The third step of signup: the recovery kit, made in this browser once the account is there. "Later" leaves a reminder.
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { useUser } from '../../session/current-user.ts';
import { callErrorText } from '../../session/error-text.ts';
import { type FreshKit, makeKit, saveKit } from '../../session/own-account.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { RecoveryKitView } from './RecoveryKitView.tsx';
import { signupSteps } from './SignupScreen.tsx';

interface KitStepProps {
  /** Typed a moment ago; storing a kit asks for it. */
  password: string;
  onDone: () => void;
}

/** The step; `onDone` follows when the kit is stored, and when it is left for later. */
export function KitStep({ password, onDone }: KitStepProps) {
  const user = useUser();
  const [fresh, setFresh] = useState<FreshKit>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isMaking = useRef(false);
  useEffect(() => {
    if (isMaking.current) return;
    isMaking.current = true;
    makeKit().then(setFresh, onDone);
  }, [onDone]);
  const save = async () => {
    if (fresh === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      await saveKit(password, fresh);
      onDone();
    } catch (cause) {
      setError(callErrorText(cause));
      setBusy(false);
    }
  };
  return (
    <>
      <div className="mb-6 print:hidden">
        <Stepper steps={signupSteps} current={2} />
      </div>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Your recovery kit')}</h1>
      {fresh === undefined ? (
        <Spinner size={20} />
      ) : (
        <RecoveryKitView
          email={user?.kdf_email ?? ''}
          phrase={fresh.phrase}
          isBusy={isBusy}
          error={error}
          onConfirmed={() => void save()}
          onLater={onDone}
          laterLabel={t('Later')}
        />
      )}
    </>
  );
}
