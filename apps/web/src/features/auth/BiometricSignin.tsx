// Biometric sign-in below the form on a phone (docs/interface.md#states): a button with the
// sensor's label, the text of docs/spec-map.md 8 when it fails, and the name of the server. The
// password form stays unchanged. Loaded only in the native shell.
import { Fingerprint, ScanFace } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { BiometricFailure, type Sensor } from '../../native/biometry.ts';
import { signinPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { enterSession } from '../../session/entry.ts';
import {
  findBiometricSignin,
  isBiometricOn,
  signInByBiometrics,
} from '../../session/sign-in/biometric-login.ts';
import { takeFirstQuestion, takeWanted } from '../../session/sign-in/native-start.ts';
import { watchSession } from '../../session/start-session.ts';
import { setSessionStatus } from '../../session/state/session-state.ts';
import { Button } from '../../ui/Button.tsx';
import { ServerLine } from './ServerLine.tsx';

type BiometricSigninProps = {
  /** The form is busy. */
  isDisabled: boolean;
  /** The user prefers to type the password. */
  onPassword: () => void;
};

const isFace = (label: Sensor['label']): boolean => label === 'Face ID' || label === 'Face Authentication';

/** Shows the button and its text where biometrics are enabled, and the server below them. */
export function BiometricSignin({ isDisabled, onPassword }: BiometricSigninProps) {
  const [isOn, setOn] = useState(isBiometricOn);
  const [sensor, setSensor] = useState<Sensor>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isUnderWay = useRef(false);
  const navigate = useNavigate();
  const fail = (cause: unknown) => {
    setOn(isBiometricOn());
    setError(callErrorText(cause));
    if (cause instanceof BiometricFailure && cause.wantsPassword) onPassword();
  };
  const ask = async () => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await signInByBiometrics();
      watchSession();
    } catch (cause) {
      fail(cause);
      if (!(cause instanceof BiometricFailure)) {
        // The server did not answer: data cached here may still open, and the entry check decides.
        setSessionStatus('unknown');
        enterSession();
      }
    } finally {
      isUnderWay.current = false;
      setBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: Looked at once, when the form comes.
  useEffect(() => {
    const path = takeWanted();
    if (path !== null) void navigate(signinPath, { replace: true, state: { from: path } });
    if (!isBiometricOn()) return;
    findBiometricSignin().then(found => {
      setSensor(found);
      if (found.failure !== null) fail(found.failure);
      else if (takeFirstQuestion()) void ask();
    }, fail);
  }, []);
  return (
    <>
      {/*
       * Keeps the button's space: the form must not move under a finger when the sensor has
       * answered.
       */}
      {isOn && sensor === undefined && error === undefined && <div className="h-11" />}
      {isOn && sensor !== undefined && (
        <Button
          variant="outline"
          size="lg"
          full
          busy={isBusy}
          disabled={isDisabled}
          onClick={() => void ask()}
        >
          {isFace(sensor.label) ? <ScanFace size={18} /> : <Fingerprint size={18} />}
          {t(sensor.label)}
        </Button>
      )}
      {error !== undefined && (
        <p role="alert" className="text-center text-control text-danger">
          {error}
        </p>
      )}
      <ServerLine />
    </>
  );
}
