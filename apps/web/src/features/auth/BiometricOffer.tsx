// Offers, after a sign-in with "keep me signed in" on a phone, to unlock Keyfold with biometrics
// from now on (docs/interpretations.md#81). Enables nothing without consent. Loaded only in the
// native shell.
import { Fingerprint } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { findSensor, type Sensor } from '../../native/biometry.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { isBiometricOn, turnBiometricsOn } from '../../session/sign-in/biometric-login.ts';
import { Button } from '../../ui/Button.tsx';

/**
 * The question on the card of the sign-in page; calls `onDone` to continue, immediately if there is
 * nothing to ask.
 */
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
        {t('Unlock Keyfold with {sensor}?', { sensor: t(sensor.label) })}
      </h1>
      <p className="text-ink-2">
        {t(
          'For 30 days, {sensor} opens Keyfold on this phone instead of your password. Your password isn’t stored. You can turn this off at any time in Settings.',
          { sensor: t(sensor.label) },
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
