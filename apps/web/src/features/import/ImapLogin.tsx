// Server and credentials of a mailbox at another provider; the host is suggested from the address.
// Requires agreeing to a notice, because the server sees both the credentials and the messages.
import { TriangleAlert } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { Select } from '../../ui/Select.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { type ImapLoginFields, ports, tidyLogin } from './imap-login.ts';
import { firstField, type ImapField, type ImapProblems, problemsOf } from './imap-problems.ts';
import { findProvider, takesNoPassword } from './imap-providers.ts';

const securities = (['tls', 'starttls'] as const).map(value => ({ value, label: value.toUpperCase() }));

type ImapLoginProps = {
  login: ImapLoginFields;
  isBusy: boolean;
  /** Problems that the server reported for the current field values. */
  problems: ImapProblems;
  onChange: (login: ImapLoginFields) => void;
  onCancel: () => void;
  onSubmit: () => void;
};

/** Explains which password to enter; undefined where no password works. */
function passwordHint(login: ImapLoginFields): string | undefined {
  const provider = findProvider(login.user);
  if (takesNoPassword(login.host)) return undefined;
  return provider?.wantsAppPassword === true
    ? t(
        '{provider} requires an app password instead of your usual one. Create it in the provider’s security settings.',
        { provider: provider.name },
      )
    : t(
        'If your provider uses two-factor authentication, enter an app password from its security settings. If it only allows sign-in through a web page (OAuth), save your mail as files there and import those.',
      );
}

type LoginFieldsProps = Pick<ImapLoginProps, 'login' | 'onChange'> & {
  told: ImapProblems;
  refOf: (field: ImapField) => (input: HTMLInputElement | null) => void;
};

function LoginFields({ login, told, refOf, onChange }: LoginFieldsProps) {
  const changeUser = (user: string) =>
    onChange({ ...login, user, ...(login.hasOwnHost ? {} : { host: findProvider(user)?.host ?? '' }) });
  return (
    <div className="grid grid-cols-2 gap-4 max-pane:grid-cols-1">
      <TextField
        ref={refOf('user')}
        label={t('Address or username at the provider')}
        value={login.user}
        error={told.user}
        onChange={changeUser}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <PasswordField
        ref={refOf('password')}
        label={t('Password')}
        value={login.password}
        error={told.password}
        onChange={password => onChange({ ...login, password })}
        autoComplete="off"
        hint={passwordHint(login)}
      />
      <TextField
        ref={refOf('host')}
        label={t('IMAP server')}
        value={login.host}
        error={told.host}
        onChange={host => onChange({ ...login, host, hasOwnHost: host !== '' })}
        onBlur={() => {
          const tidy = tidyLogin(login);
          if (tidy.host !== login.host) onChange(tidy);
        }}
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
          ref={refOf('port')}
          label={t('Port')}
          value={login.port}
          error={told.port}
          onChange={port => onChange({ ...login, port })}
          dir="ltr"
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </div>
  );
}

export function ImapLogin({ login, isBusy, problems, onChange, onCancel, onSubmit }: ImapLoginProps) {
  const [isAgreed, setAgreed] = useState(false);
  const [wasTried, setTried] = useState(false);
  const inputs = useRef<Partial<Record<ImapField, HTMLInputElement | null>>>({});
  const focusOn = (found: ImapProblems) => {
    const field = firstField(found);
    if (field !== undefined) inputs.current[field]?.focus();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => focusOn(problems), [problems]);
  const told: ImapProblems = wasTried ? { ...problems, ...problemsOf(login) } : problems;
  const refOf = (field: ImapField) => (input: HTMLInputElement | null) => {
    inputs.current[field] = input;
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      autoComplete="off"
      onSubmit={event => {
        event.preventDefault();
        if (!isAgreed || isBusy) return;
        setTried(true);
        const found = problemsOf(login);
        if (firstField(found) === undefined) onSubmit();
        else focusOn(found);
      }}
    >
      <p className="max-w-[68ch] text-control text-ink-2">
        {t(
          'The server fetches your mail over IMAP. It sees this mail and your password during the import. Afterward, the mail is encrypted like all other mail, and the password is discarded. Nothing changes at the other provider.',
        )}
      </p>
      <LoginFields login={login} told={told} refOf={refOf} onChange={onChange} />
      {takesNoPassword(login.host) && (
        <Banner tone="warn" icon={<TriangleAlert size={16} />} role="status">
          {t(
            'Microsoft doesn’t let other apps sign in with a password, not even an app password. Export the mailbox from Outlook as a PST file and import that file.',
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
        <Button type="submit" busy={isBusy} disabled={!isAgreed}>
          {t('Show folders')}
        </Button>
      </div>
    </form>
  );
}
