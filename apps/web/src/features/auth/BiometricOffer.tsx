// Asked on a phone after somebody signed in to stay: whether its biometrics shall open Keyfold from now on
// (docs/interpretations.md#81). Nothing is turned on without a yes. Fetched in the shell alone.
import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { findSensor, type Sensor } from '../../native/biometry.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { isBiometricOn, turnBiometricsOn } from '../../session/sign-in/biometric-login.ts';
import { Button } from '../../ui/Button.tsx';

/** The question on the card of the sign-in page; `onDone` goes on, at once where there is nothing to ask. */
export function BiometricOffer({ onDone }: { onDone: () => void }) {
  const [sensor, setSensor] = useState<Sensor>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const goOn = useRef(onDone);
  useEffect(() => {
    if (isBiometricOn()) {
      goOn.current();
      return;
    }
    findSensor().then(
      found => (found.failure === null ? setSensor(found) : goOn.current()),
      () => goOn.current(),
    );
  }, []);
  if (sensor === undefined) return null;
  const turnOn = async () => {
    setBusy(true);
    setError(undefined);
    try {
      await turnBiometricsOn();
      onDone();
    } catch (cause) {
      setError(callErrorText(cause));
      setBusy(false);
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <Fingerprint aria-hidden size={32} className="text-accent" />
      <h1 className="text-page font-semibold tracking-tight">
        {t('Open Keyfold with {sensor}?', { sensor: t(sensor.label) })}
      </h1>
      <p className="text-ink-2">
        {t(
          'For 30 days this phone then asks for it in place of your password. Your password is not stored. You can turn it off at any time under Settings, Program.',
        )}
      </p>
      {error !== undefined && (
        <p role="alert" className="text-control text-danger">
          {error}
        </p>
      )}
      <Button size="lg" full busy={isBusy} onClick={() => void turnOn()}>
        {t('Turn on')}
      </Button>
      <Button variant="outline" size="lg" full disabled={isBusy} onClick={onDone}>
        {t('Not now')}
      </Button>
    </div>
  );
}
