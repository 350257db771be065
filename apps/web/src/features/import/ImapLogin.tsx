// Where the mailbox at another provider is, and what opens it: hosts are proposed by the address. Behind a sentence that one has
// to agree to, since the server sees both.
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { findProvider, takesNoPassword } from './imap-providers.ts';

export interface ImapLoginFields {
  user: string;
  password: string;
  host: string;
  port: string;
  security: 'starttls' | 'tls';
  /** Its owner wrote another host than was proposed. */
  hasOwnHost: boolean;
}

export const emptyLogin: ImapLoginFields = {
  user: '',
  password: '',
  host: '',
  port: '993',
  security: 'tls',
  hasOwnHost: false,
};

const ports = { tls: '993', starttls: '143' } as const;
const securities = (['tls', 'starttls'] as const).map(value => ({ value, label: value.toUpperCase() }));

const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;

interface ImapLoginProps {
  login: ImapLoginFields;
  isBusy: boolean;
  onChange: (login: ImapLoginFields) => void;
  onCancel: () => void;
  onSubmit: () => void;
}

/** The form. */
export function ImapLogin({ login, isBusy, onChange, onCancel, onSubmit }: ImapLoginProps) {
  const [isAgreed, setAgreed] = useState(false);
  const provider = findProvider(login.user);
  const hasPasswords = !takesNoPassword(login.host);
  const passwordHint = !hasPasswords
    ? undefined
    : provider?.wantsAppPassword === true
      ? t(
          '{provider} wants an app password here, not the usual one. You make it in the security settings there.',
          { provider: provider.name },
        )
      : t(
          'Providers that ask for a second step, or let other programs in by a sign-in page of theirs (OAuth), want an app password here: you make it in the security settings there.',
        );
  const isWhole =
    login.user.trim() !== '' && login.password !== '' && login.host.trim() !== '' && isPort(login.port);
  const changeUser = (user: string) =>
    onChange({ ...login, user, ...(login.hasOwnHost ? {} : { host: findProvider(user)?.host ?? '' }) });
  return (
    <form
      className="flex flex-col gap-4"
      autoComplete="off"
      onSubmit={event => {
        event.preventDefault();
        if (isWhole && isAgreed && !isBusy) onSubmit();
      }}
    >
      <p className="max-w-[68ch] text-control text-ink-2">
        {t(
          'The server fetches the mail over IMAP. It sees this mail and the password while it runs; then the mail is sealed as any other, and the password is forgotten. Nothing changes at the other provider.',
        )}
      </p>
      <div className="grid grid-cols-2 gap-4 max-pane:grid-cols-1">
        <TextField
          label={t('Address or user name there')}
          value={login.user}
          onChange={changeUser}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
        <PasswordField
          label={t('Password')}
          value={login.password}
          onChange={password => onChange({ ...login, password })}
          autoComplete="off"
          hint={passwordHint}
        />
        <TextField
          label={t('Mail server (IMAP)')}
          value={login.host}
          onChange={host => onChange({ ...login, host, hasOwnHost: host !== '' })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
        <div className="flex gap-4 [&>*]:min-w-0 [&>*]:flex-1">
          <Select
            label={t('Encryption')}
            value={login.security}
            options={securities}
            onChange={security => onChange({ ...login, security, port: ports[security] })}
          />
          <TextField
            label={t('Port')}
            value={login.port}
            onChange={port => onChange({ ...login, port })}
            inputMode="numeric"
            autoComplete="off"
          />
        </div>
      </div>
      {!hasPasswords && (
        <Banner tone="warn" icon={<TriangleAlert size={16} />} role="status">
          {t(
            'Microsoft lets no other program in with a password, not even an app password. Save the mailbox as a PST file with Outlook, and import that file here.',
          )}
        </Banner>
      )}
      <CheckboxLine
        label={t('I know the server will see this mail and the password')}
        checked={isAgreed}
        onChange={setAgreed}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button type="submit" busy={isBusy} disabled={!isWhole || !isAgreed}>
          {t('Show folders')}
        </Button>
      </div>
    </form>
  );
}
