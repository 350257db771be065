// Step 3 of sign-up: the recovery kit, created in this browser after the account. The server stores
// the kit before its words are shown; "Not now" leaves a reminder, and the words remain valid.
import { useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { joinSentences } from '../../lib/words.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { confirmKit, type FreshKit, makeKit } from '../../session/sign-in/own-account.ts';
import { useUser } from '../../session/state/current-user.ts';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { RecoveryKitView } from './RecoveryKitView.tsx';
import { signupSteps } from './SignupScreen.tsx';

type KitStepProps = {
  /** The password just entered; storing a kit requires it. */
  password: string;
  onDone: () => void;
};

/** The step; `onDone` is called when the kit is confirmed or postponed. */
export function KitStep({ password, onDone }: KitStepProps) {
  const user = useUser();
  const [fresh, setFresh] = useState<FreshKit>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isMaking = useRef(false);
  const make = useCallback(() => {
    if (isMaking.current) return;
    isMaking.current = true;
    setError(undefined);
    makeKit(password).then(setFresh, cause => {
      isMaking.current = false;
      setError(callErrorText(cause));
    });
  }, [password]);
  useEffect(make, [make]);
  const confirm = async () => {
    if (fresh === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      await confirmKit(fresh);
      onDone();
    } catch (cause) {
      setError(callErrorText(cause));
      setBusy(false);
    }
  };
  return (
    <>
      <div className="mb-6 print:hidden">
        <Stepper steps={signupSteps()} current={2} />
      </div>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Your recovery kit')}</h1>
      {fresh === undefined && error === undefined && <Spinner size={20} />}
      {fresh === undefined && error !== undefined && (
        <>
          <p role="alert" className="mb-4 text-danger">
            {joinSentences(t('Couldn’t save the recovery kit, so its words aren’t shown.'), error)}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button onClick={make}>{t('Try again')}</Button>
            <Button variant="quiet" onClick={onDone}>
              {t('Not now')}
            </Button>
          </div>
        </>
      )}
      {fresh !== undefined && (
        <RecoveryKitView
          email={user?.kdf_email ?? ''}
          phrase={fresh.phrase}
          isBusy={isBusy}
          error={error}
          onConfirmed={() => void confirm()}
          onLater={onDone}
        />
      )}
    </>
  );
}
