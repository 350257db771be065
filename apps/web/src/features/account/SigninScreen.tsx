// The sign-in form: address and password, then the code of the second factor when the account has one. Draws and reports;
// deriving keys and asking the server is done by whoever mounts it. Spec §2 `signin`, §4 "MFA login".
import { Fingerprint, LifeBuoy } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Link } from '../../ui/Link.tsx';
import { OtpField } from '../../ui/OtpField.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';

export interface SigninValues {
  email: string;
  password: string;
  keepSignedIn: boolean;
}

export interface SigninScreenProps {
  step: 'password' | 'code';
  initialEmail?: string;
  isBusy: boolean;
  /** One text for every kind of wrong password or unknown address. */
  error?: string | undefined;
  /** Seconds until another code may be tried, 0 when at once. */
  waitSeconds?: number;
  /** The sensor's name ("Touch ID"), when biometric sign-in is set up on this device. */
  biometricLabel?: string;
  onBiometric?: () => void;
  onSubmit: (values: SigninValues) => void;
  /** The second step's answer and way back, where the server asks for a second factor. */
  onCode?: (code: string) => void;
  onBackToPassword?: () => void;
  /** The recovery kit's way back in, where the server offers it. */
  recoverPath?: string;
  signupPath: string;
}

function PasswordStep(props: SigninScreenProps) {
  const { initialEmail = '', isBusy, error, biometricLabel, onBiometric, onSubmit } = props;
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState('');
  const [keepSignedIn, setKeepSignedIn] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // After a refusal the password is what has to be typed again.
    if (error !== undefined)
      form.current?.querySelector<HTMLInputElement>('input[name="password"]')?.select();
  }, [error]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && email.trim() !== '' && password !== '')
      onSubmit({ email: email.trim(), password, keepSignedIn });
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={t('Address')}
        name="username"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        error={error}
      />
      <div className="flex min-h-6 items-center gap-2.5">
        <Checkbox
          label={t('Keep me signed in on this device')}
          checked={keepSignedIn}
          onChange={checked => setKeepSignedIn(checked)}
        />
        <span aria-hidden className="min-w-0">
          {t('Keep me signed in on this device')} <span className="text-ink-3">{t('for 30 days')}</span>
        </span>
      </div>
      <Button type="submit" size="lg" full busy={isBusy}>
        {isBusy ? t('Unlocking your mail') : t('Sign in')}
      </Button>
      {biometricLabel !== undefined && (
        <Button variant="outline" size="lg" full disabled={isBusy} onClick={onBiometric}>
          <Fingerprint size={18} />
          {biometricLabel}
        </Button>
      )}
    </form>
  );
}

function CodeStep({ isBusy, error, waitSeconds = 0, onCode, onBackToPassword }: SigninScreenProps) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    if (error !== undefined) input.current?.select();
  }, [error]);
  const isWaiting = waitSeconds > 0;
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        if (!isBusy && !isWaiting && code.length === 6) onCode?.(code);
      }}
      className="flex flex-col gap-4"
    >
      <OtpField
        inputRef={input}
        label={t('Code from your authenticator')}
        value={code}
        onChange={setCode}
        onComplete={code => onCode?.(code)}
        disabled={isBusy || isWaiting}
        error={
          isWaiting
            ? t(
                '{count, plural, one {Too many tries. Wait # second.} other {Too many tries. Wait # seconds.}}',
                { count: waitSeconds },
              )
            : error
        }
      />
      <Button type="submit" size="lg" full busy={isBusy} disabled={isWaiting}>
        {isBusy ? t('Checking the code') : t('Continue')}
      </Button>
      <Button variant="quiet" onClick={onBackToPassword}>
        {t('Back to the password')}
      </Button>
    </form>
  );
}

/** The form on a card; the card itself is the layout's. */
export function SigninScreen(props: SigninScreenProps) {
  const isCode = props.step === 'code';
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">
        {isCode ? t('One more step') : t('Sign in')}
      </h1>
      <p className="mb-5 text-ink-2">
        {isCode
          ? t('Your account asks for a second factor.')
          : t('Your mail is unlocked in this browser. The server never sees your password.')}
      </p>
      {isCode ? <CodeStep {...props} /> : <PasswordStep {...props} />}
      <div className="mt-6 flex flex-col gap-4">
        {props.recoverPath !== undefined && (
          <Banner tone="neutral" icon={<LifeBuoy size={16} />}>
            {t('Forgot the password, or lost the second factor?')}{' '}
            <Link to={props.recoverPath}>{t('Use your recovery kit')}</Link>
          </Banner>
        )}
        {!isCode && (
          <p className="text-center text-control text-ink-2">
            {t('New here?')} <Link to={props.signupPath}>{t('Create account')}</Link>
          </p>
        )}
      </div>
    </>
  );
}
