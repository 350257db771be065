// The sign-in form: address and password. Presentational: the parent component derives keys and
// calls the server. SecondStep.tsx is the second factor. docs/spec-map.md 2.
import { LifeBuoy } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { Link } from '../../ui/Link.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { findAddressMistake } from './address-mistake.ts';

export type SigninValues = {
  email: string;
  password: string;
  keepSignedIn: boolean;
};

export type SigninScreenProps = {
  initialEmail?: string;
  isBusy: boolean;
  /** The same text for a wrong password and an unknown address. */
  error?: string | undefined;
  /** Shown below the button: biometric sign-in on a phone. */
  biometrics?: ReactNode;
  /** Returns the complete address for a name alone if it can be determined, otherwise the input. */
  completeAddress: (typed: string) => Promise<string>;
  onSubmit: (values: SigninValues) => void;
  /** Path to recovery with the recovery kit, where the server offers it. */
  recoverPath?: string;
  signupPath: string;
};

type PasswordStepProps = SigninScreenProps & {
  email: string;
  onEmail: (email: string) => void;
};

function PasswordStep(props: PasswordStepProps) {
  const { email, onEmail, isBusy, error, biometrics, completeAddress, onSubmit } = props;
  const [password, setPassword] = useState('');
  const [keepSignedIn, setKeepSignedIn] = useState(false);
  const [isVisited, setVisited] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mistake = findAddressMistake(email);
  useEffect(() => {
    // After a refusal, the user has to type the password again.
    if (error !== undefined)
      form.current?.querySelector<HTMLInputElement>('input[name="password"]')?.select();
  }, [error]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const whole = mistake === undefined ? email : await completeAddress(email);
    if (whole !== email) onEmail(whole);
    setVisited(true);
    const isWhole = findAddressMistake(whole) === undefined;
    if (!isWhole || password === '') {
      const first = isWhole ? 'password' : 'username';
      form.current?.querySelector<HTMLInputElement>(`input[name="${first}"]`)?.focus();
    } else if (!isBusy) onSubmit({ email: whole.trim(), password, keepSignedIn });
  };
  return (
    <form ref={form} noValidate onSubmit={event => void submit(event)} className="flex flex-col gap-4">
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
        onChange={onEmail}
        error={isVisited ? mistake : undefined}
      />
      <PasswordField
        label={t('Password')}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
        error={isVisited && password === '' ? t('Enter your password') : error}
      />
      <CheckboxLine
        label={t('Keep me signed in on this device')}
        checked={keepSignedIn}
        onChange={setKeepSignedIn}
      >
        <span aria-hidden className="min-w-0">
          {t('Keep me signed in on this device')}{' '}
          <span className="whitespace-nowrap text-ink-3">{t('for 30 days')}</span>
        </span>
      </CheckboxLine>
      <Button type="submit" size="lg" full busy={isBusy}>
        {isBusy ? t('Unlocking your mail…') : t('Sign in')}
      </Button>
      {biometrics}
    </form>
  );
}

/** The form; the layout provides the card. */
export function SigninScreen(props: SigninScreenProps) {
  usePageTitle(t('Sign in'));
  const [email, setEmail] = useState(props.initialEmail ?? '');
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Sign in')}</h1>
      <p className="mb-5 text-ink-2">
        {t('Your mail is unlocked in this browser. The server never sees your password.')}
      </p>
      <PasswordStep {...props} email={email} onEmail={setEmail} />
      <div className="mt-6 flex flex-col gap-4">
        {props.recoverPath !== undefined && (
          <Banner tone="neutral" icon={<LifeBuoy size={16} />}>
            {t('Forgot your password or lost your second factor?')}
            {sentenceGap()}
            <Link to={props.recoverPath} state={{ email }}>
              {t('Use your recovery kit')}
            </Link>
          </Banner>
        )}
        <p className="text-center text-control text-ink-2">
          {t('New here?')}
          {sentenceGap()}
          <Link to={props.signupPath}>{t('Create account')}</Link>
        </p>
      </div>
    </>
  );
}
