// Parts of the sign-up form: the address with its domain, the invitation code, and the progress of
// the proof of work.
import { ShieldCheck } from 'lucide-react';
import { t, term } from '../../lib/language.ts';
import { usernameHint } from '../../session/sign-in/address-names.ts';
import { Button } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/InlineSelect.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { TextField } from '../../ui/TextField.tsx';
import type { SignupScreenProps } from './SignupScreen.tsx';
import type { SignupValues } from './signup-rules.ts';

type AddressFieldProps = Pick<SignupScreenProps, 'domains' | 'availability'> & {
  /** Resulting address; empty while nothing is typed. */
  address: string;
  /** As typed. */
  username: string;
  domain: string;
  error: string | undefined;
  onChange: (change: Partial<SignupValues>) => void;
  onBlur: () => void;
};

/** Field for the desired address. */
export function AddressField(props: AddressFieldProps) {
  const { address, username, domain, domains, availability, error, onChange, onBlur } = props;
  return (
    <TextField
      label={t('Address')}
      dir="ltr"
      name="username"
      // The username alone cannot sign in: password managers should store the complete address.
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={username}
      onChange={typed => onChange({ username: typed })}
      onBlur={onBlur}
      busy={availability === 'checking'}
      hint={
        availability === 'checking'
          ? t('Checking…')
          : (availability === 'free' ? t('{address} is available', { address }) : address) || usernameHint()
      }
      error={availability === 'taken' ? t('This address is taken') : error}
      end={
        domains.length > 0 && (
          <InlineSelect
            label={t('Domain')}
            options={domains.map(name => ({ value: name, label: `@${name}` }))}
            value={domain}
            onChange={next => onChange({ domain: next })}
          />
        )
      }
    />
  );
}

type InvitationCodeProps = {
  code: string;
  isNeeded: boolean;
  /** Whether the section is initially open. */
  isOpen: boolean;
  error: string | undefined;
  onChange: (code: string) => void;
  onBlur: () => void;
};

/** The invitation code: in a collapsible section where it is optional. */
export function InvitationCode({ code, isNeeded, isOpen, error, onChange, onBlur }: InvitationCodeProps) {
  const field = (
    <TextField
      label={t('Invitation code')}
      name="affiliateCode"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      value={code}
      onChange={onChange}
      onBlur={onBlur}
      hint={isNeeded ? t('You need an invitation code to create an account here.') : undefined}
      error={error}
    />
  );
  if (isNeeded) return field;
  return (
    <details className="text-control" open={isOpen}>
      <summary className="w-fit rounded-chip font-medium text-accent-text">
        {t('I have an invitation code')}
      </summary>
      <div className="pt-3">{field}</div>
    </details>
  );
}

const captchaWords = {
  working: term('Checking that you’re not a robot'),
  done: term('Robot check passed'),
  failed: term('The robot check didn’t finish.'),
} as const;

/** Shows the progress of the proof of work. */
export function CaptchaLine({
  captcha,
  onRetry,
}: Pick<SignupScreenProps, 'captcha'> & { onRetry: () => void }) {
  return (
    <div role="status" className="flex min-h-7 items-center gap-2 text-meta text-ink-3">
      {captcha === 'working' && <Spinner size={14} />}
      {captcha === 'done' && <ShieldCheck aria-hidden size={14} className="text-secure" />}
      {t(captchaWords[captcha])}
      {captcha === 'failed' && (
        <Button variant="outline" size="xs" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  );
}
