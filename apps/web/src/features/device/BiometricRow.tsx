// Turns biometric sign-in of a phone on and off, and shows when it expires. Loaded only in the
// native shell.
import { useEffect, useState } from 'react';
import { formatFullDate } from '../../lib/dates.ts';
import { t } from '../../lib/language.ts';
import { findSensor, type Sensor } from '../../native/biometry.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import {
  dropBiometrics,
  findBiometricNotice,
  isBiometricOn,
  turnBiometricsOn,
} from '../../session/sign-in/biometric-login.ts';
import { keepsMail } from '../../session/state/offline-account.ts';
import { SettingsRow } from '../../ui/SettingsRow.tsx';
import { Switch } from '../../ui/Switch.tsx';

/** Describes the feature and its expiry date or duration. */
function describe(isOn: boolean): string {
  const known = findBiometricNotice();
  if (isOn && known !== null)
    return t('On until {date}. After that, you’ll need your password again.', {
      date: formatFullDate(new Date(known.expiresAt)),
    });
  return keepsMail()
    ? t('Opens your mail without your password for 30 days.')
    : t('Opens your mail without your password for 7 days, or 30 days if you stay signed in.');
}

/** The row, labeled with the name of the sensor. */
export function BiometricRow() {
  const [sensor, setSensor] = useState<Sensor>();
  const [isOn, setOn] = useState(isBiometricOn);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    findSensor().then(
      found => {
        setSensor(found);
        setError(found.failure === null ? undefined : callErrorText(found.failure));
      },
      cause => setError(callErrorText(cause)),
    );
  }, []);
  const change = async (wanted: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      await (wanted ? turnBiometricsOn() : dropBiometrics());
    } catch (cause) {
      setError(callErrorText(cause));
    }
    setOn(isBiometricOn());
    setBusy(false);
  };
  const label = t(sensor?.label ?? 'Biometrics');
  const isAskable = sensor !== undefined && sensor.failure === null;
  return (
    <SettingsRow
      label={label}
      text={
        <>
          {describe(isOn)}
          {error !== undefined && (
            <span role="alert" className="block text-danger">
              {error}
            </span>
          )}
        </>
      }
    >
      <Switch
        label={label}
        checked={isOn}
        disabled={isBusy || !(isOn || isAskable)}
        onChange={next => void change(next)}
      />
    </SettingsRow>
  );
}
