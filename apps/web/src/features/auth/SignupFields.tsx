// Parts of the form of signup: the address with its domain, the invitation code, and how far the proof of work is.
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
  /** As it will be; empty while nothing is typed. */
  address: string;
  /** As it was typed. */
  username: string;
  domain: string;
  error: string | undefined;
  onChange: (change: Partial<SignupValues>) => void;
  onBlur: () => void;
};

/** The address that somebody wants. */
export function AddressField(props: AddressFieldProps) {
  const { address, username, domain, domains, availability, error, onChange, onBlur } = props;
  return (
    <TextField
      label={t('Address')}
      name="username"
      // Half an address would not sign in: the whole one is what managers are to keep.
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
          : (availability === 'free' ? t('{address} is free', { address }) : address) || usernameHint()
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
  /** Whether the fold is open at first. */
  isOpen: boolean;
  error: string | undefined;
  onChange: (code: string) => void;
  onBlur: () => void;
};

/** The invitation code: behind a fold where one can do without. */
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
      hint={isNeeded ? t('New accounts are made by invitation here.') : undefined}
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
  working: term('Checking you are not a robot'),
  done: term('You are not a robot'),
  failed: term('The robot check did not finish.'),
} as const;

/** How far the proof of work is. */
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
