// Step 1 of sign-up: name, address, password, and the invitation code in a collapsible section.
// Presentational, with local validation; the parent component generates keys and calls the server.
// docs/spec-map.md 2, 5.
import { CircleAlert } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { sentenceGap, t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { HiddenUsername } from '../../ui/HiddenUsername.tsx';
import { Link } from '../../ui/Link.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Stepper } from '../../ui/Stepper.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { AddressField, CaptchaLine, InvitationCode } from './SignupFields.tsx';
import {
  checkSignup,
  passwordRules,
  type SignupErrors,
  type SignupValues,
  splitTypedAddress,
} from './signup-rules.ts';

/** The three steps of sign-up, for the progress bars above each. */
export const signupSteps = (): readonly string[] => [t('Account'), t('Keys'), t('Recovery kit')];

export type SignupScreenProps = {
  /** Domains open for sign-up; empty while loading. */
  domains: readonly string[];
  /** The inviting organization, with name and address in `initial`: the address is then fixed. */
  organization?: string;
  /** Whether new accounts require an invitation code. */
  needsInvitation: boolean;
  initial?: Partial<SignupValues>;
  /** Whether the typed address is free; `unknown` while that cannot be determined. */
  availability: 'unknown' | 'checking' | 'free' | 'taken';
  /** The proof of work that keeps bots out. */
  captcha: 'working' | 'done' | 'failed';
  onRetryCaptcha: () => void;
  isBusy: boolean;
  /** Server errors by field. */
  errors?: SignupErrors | undefined;
  /** An error not tied to a field. */
  error?: string | undefined;
  onAddressChange?: (username: string, domain: string) => void;
  onSubmit: (values: SignupValues) => void;
  signinPath: string;
};

/** In form order. */
const checkedFields = ['name', 'username', 'password', 'affiliateCode'] as const;

/** Holds the input and its errors; the first invalid field gets the focus. */
function useSignupForm(props: SignupScreenProps) {
  const { domains, needsInvitation, initial, errors, isBusy, onAddressChange, onSubmit } = props;
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<SignupValues>({
    name: '',
    username: '',
    domain: '',
    password: '',
    affiliateCode: '',
    ...initial,
  });
  const [visited, setVisited] = useState<ReadonlySet<keyof SignupValues>>(new Set());
  // Users often type their complete address into the username field.
  const whole = splitTypedAddress(values.username, domains);
  const username = whole?.username ?? values.username.trim();
  const domain = whole?.domain ?? (values.domain || domains[0] || '');
  const found = checkSignup({ ...values, username }, needsInvitation);
  // A server error stays until the field changes.
  const refused = (field: keyof SignupValues): string | undefined =>
    values[field] === initial?.[field] ? errors?.[field] : undefined;
  const errorOf = (field: keyof SignupValues): string | undefined =>
    refused(field) ?? (visited.has(field) ? found[field] : undefined);
  const refusedField = Object.keys(errors ?? {})[0];
  useEffect(() => {
    if (refusedField !== undefined)
      form.current?.querySelector<HTMLInputElement>(`[name="${refusedField}"]`)?.select();
  }, [refusedField]);
  const set = (change: Partial<SignupValues>) => {
    const next = { ...values, ...change };
    setValues(next);
    if (!('username' in change || 'domain' in change)) return;
    const typed = splitTypedAddress(next.username, domains);
    onAddressChange?.(
      typed?.username ?? next.username.trim(),
      typed?.domain ?? (next.domain || domains[0] || ''),
    );
  };
  const visit = (field: keyof SignupValues) => () => setVisited(old => new Set(old).add(field));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setVisited(new Set(checkedFields));
    const first = checkedFields.find(field => found[field] !== undefined);
    if (first !== undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    onSubmit({ ...values, name: values.name.trim(), username, domain });
  };
  return { form, values, whole, username, domain, errorOf, set, visit, submit };
}

/** The form; the layout provides the card. */
export function SignupScreen(props: SignupScreenProps) {
  const { domains, organization, needsInvitation, initial, availability, captcha } = props;
  const { form, values, whole, username, domain, errorOf, set, visit, submit } = useSignupForm(props);
  const formId = useId();
  const address = username === '' ? '' : `${username}@${domain}`;
  return (
    <>
      <div className="mb-6">
        <Stepper steps={signupSteps()} current={0} />
      </div>
      <h1 dir="auto" className="mb-1 text-page font-semibold tracking-tight">
        {organization === undefined ? t('Create your account') : t('Join {organization}', { organization })}
      </h1>
      <p className="mb-5 text-ink-2">
        {organization === undefined
          ? t('Your keys are created in this browser. No one else gets them.')
          : t(
              'Choose a password. Your keys are created in this browser. Not even your organization gets them.',
            )}
      </p>
      <form ref={form} id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
        {props.error !== undefined && (
          <Banner tone="danger" role="alert" icon={<CircleAlert size={17} />}>
            {props.error}
          </Banner>
        )}
        <TextField
          label={t('Name')}
          name="name"
          autoComplete="name"
          dir="auto"
          value={values.name}
          onChange={name => set({ name })}
          onBlur={visit('name')}
          error={errorOf('name')}
        />
        {organization === undefined ? (
          <AddressField
            address={address}
            username={values.username}
            domain={domain}
            domains={domains}
            availability={availability}
            error={errorOf('username')}
            onChange={set}
            onBlur={() => {
              visit('username')();
              if (whole !== null) set(whole);
            }}
          />
        ) : (
          <div>
            <div className="text-control font-medium">{t('Address')}</div>
            <bdi className="[overflow-wrap:anywhere]">{address}</bdi>
          </div>
        )}
        <HiddenUsername name="email" address={address} />
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="new-password"
          value={values.password}
          onChange={password => set({ password })}
          onBlur={visit('password')}
          error={errorOf('password')}
          hint={
            organization === undefined
              ? t(
                  'Keep your password safe. No one can reset it. If you lose both it and your recovery kit, your mail stays locked.',
                )
              : t(
                  'Keep your password safe. If you lose both it and your recovery kit, your mail stays locked.',
                )
          }
          rules={passwordRules(values.password)}
        />
        {organization === undefined && (
          <InvitationCode
            code={values.affiliateCode}
            isNeeded={needsInvitation}
            isOpen={(initial?.affiliateCode ?? '') !== ''}
            error={errorOf('affiliateCode')}
            onChange={affiliateCode => set({ affiliateCode })}
            onBlur={visit('affiliateCode')}
          />
        )}
        <CaptchaLine captcha={captcha} onRetry={props.onRetryCaptcha} />
        <Button type="submit" size="lg" full busy={props.isBusy}>
          {t('Continue')}
        </Button>
        <p className="text-center text-control text-ink-2">
          {t('Already have an account?')}
          {sentenceGap()}
          <Link to={props.signinPath}>{t('Sign in')}</Link>
        </p>
      </form>
    </>
  );
}
