// The sign-in form: address and password. Draws and reports; deriving keys and asking the server is done by whoever mounts
// it. What follows where a second factor is on is SecondStep.tsx. docs/spec-map.md 2.
import { LifeBuoy } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
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
  /** One text for every kind of wrong password or unknown address. */
  error?: string | undefined;
  /** What stands under the button: the biometric sign-in of a phone. */
  biometrics?: ReactNode;
  /** The whole address for a name alone where that can be told, else what was typed. */
  completeAddress: (typed: string) => Promise<string>;
  onSubmit: (values: SigninValues) => void;
  /** The recovery kit's way back in, where the server offers it. */
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
    // After a refusal the password is what has to be typed again.
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
        error={isVisited && password === '' ? t('Type your password') : error}
      />
      <CheckboxLine
        label={t('Keep me signed in on this device')}
        checked={keepSignedIn}
        onChange={setKeepSignedIn}
      >
        <span aria-hidden className="min-w-0">
          {t('Keep me signed in on this device')} <span className="text-ink-3">{t('for 30 days')}</span>
        </span>
      </CheckboxLine>
      <Button type="submit" size="lg" full busy={isBusy}>
        {isBusy ? t('Unlocking your mail') : t('Sign in')}
      </Button>
      {biometrics}
    </form>
  );
}

/** The form on a card; the card itself is the layout's. */
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
            {t('Forgot the password, or lost the second factor?')}{' '}
            <Link to={props.recoverPath} state={{ email }}>
              {t('Use your recovery kit')}
            </Link>
          </Banner>
        )}
        <p className="text-center text-control text-ink-2">
          {t('New here?')} <Link to={props.signupPath}>{t('Create account')}</Link>
        </p>
      </div>
    </>
  );
}
