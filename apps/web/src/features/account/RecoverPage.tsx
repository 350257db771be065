// `/app/recover`: the recovery kit's way back in. The words open the keys in this browser, which are locked again with a
// new password; the mail stays, and every session ends. One text for a wrong address and wrong words (readings 88).
import { CallError } from '@keyfold/contract/client';
import { findPasswordProblem } from '@keyfold/contract/limits';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../lib/language.ts';
import { inboxPath, signinPath } from '../../paths.ts';
import { callErrorText } from '../../session/error-text.ts';
import { recoverAccount } from '../../session/own-account.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { passwordRules } from './signup-rules.ts';

const wordCount = 24;

const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** The form. */
export function RecoverPage() {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [phrase, setPhrase] = useState('');
  const [password, setPassword] = useState('');
  const [isVisited, setVisited] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const words = countWords(phrase);
  const broken = findPasswordProblem(password);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setVisited(true);
    setError(undefined);
    if (isBusy || email.trim() === '' || words !== wordCount || broken !== null) return;
    setBusy(true);
    try {
      await recoverAccount(email, phrase, password);
      void navigate(inboxPath, { replace: true });
    } catch (cause) {
      const isRefused = cause instanceof CallError && cause.code === 'recovery_refused';
      setError(isRefused ? t('These words do not open this address') : callErrorText(cause));
      setBusy(false);
    }
  };
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Use your recovery kit')}</h1>
      <p className="mb-5 text-ink-2">
        {t('Your 24 words open your keys in this browser. Then choose a new password: your mail stays.')}
      </p>
      <form noValidate onSubmit={event => void submit(event)} className="flex flex-col gap-4">
        <TextField
          label={t('Address')}
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={email}
          onChange={setEmail}
          error={isVisited && email.trim() === '' ? t('Type your address') : undefined}
        />
        <TextArea
          label={t('The 24 words')}
          mono
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={phrase}
          onChange={setPhrase}
          hint={t('{count} of 24 words', { count: words })}
          error={isVisited && words !== wordCount ? t('The kit has 24 words') : undefined}
        />
        <PasswordField
          label={t('New password')}
          name="new-password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          onBlur={() => setVisited(isVisited || password !== '')}
          error={isVisited && broken !== null ? t(broken) : undefined}
          rules={passwordRules(password)}
        />
        {error !== undefined && (
          <p role="alert" className="text-control text-danger">
            {error}
          </p>
        )}
        <Button type="submit" size="lg" full busy={isBusy}>
          {isBusy ? t('Opening your keys') : t('Set the new password')}
        </Button>
      </form>
      <p className="mt-6 text-center text-control">
        <Link to={signinPath}>{t('Back to the password')}</Link>
      </p>
    </>
  );
}
