// Asks for the password that unlocks the data cached on this device while the server is
// unreachable. Makes no requests to the server.
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { unlockOffline } from '../../session/session.ts';
import { Button } from '../../ui/Button.tsx';
import { HiddenUsername } from '../../ui/HiddenUsername.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';

type OfflineUnlockProps = {
  /** Owner of the cached mail. */
  email: string;
  isBusy: boolean;
  onBusyChange: (isBusy: boolean) => void;
};

/** The form; a correct password opens the session, and the screen behind it appears. */
export function OfflineUnlock({ email, isBusy, onBusyChange }: OfflineUnlockProps) {
  const [password, setPassword] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || password === '') return;
    onBusyChange(true);
    setWrong(false);
    try {
      await unlockOffline(password);
    } catch {
      setWrong(true);
      onBusyChange(false);
    }
  };
  return (
    <form onSubmit={event => void submit(event)} className="mt-5 mb-4 flex flex-col gap-4">
      <HiddenUsername name="username" address={email} />
      <p className="text-ink-2 break-all">{email}</p>
      <PasswordField
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        error={isWrong ? t('This password doesn’t unlock the mail on this device') : undefined}
      />
      <Button type="submit" size="lg" full busy={isBusy}>
        {isBusy ? t('Unlocking your mail…') : t('Unlock')}
      </Button>
    </form>
  );
}
