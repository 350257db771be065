// `/app/reset`: the target of an organization's link with which a member sets a new password
// (docs/interpretations.md#76). Says first what is lost, and how to avoid that. The new keys are
// generated in this browser; then the member signs in as usual, including the second factor.
import { findPasswordProblem } from '@keyfold/contract/limits';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/language.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { recoverPath, signinPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { lookAtReset, setNewPassword } from '../../session/sign-in/joining.ts';
import { secretOfLink } from '../../session/sign-in/link-secrets.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CheckboxLine } from '../../ui/CheckboxLine.tsx';
import { HiddenUsername } from '../../ui/HiddenUsername.tsx';
import { Link } from '../../ui/Link.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { LinkRefused } from './LinkRefused.tsx';
import { NewPasswordField } from './NewPasswordField.tsx';

function ResetForm({
  secret,
  organization,
  email,
  kdfEmail,
}: Record<'email' | 'kdfEmail' | 'organization' | 'secret', string>) {
  const [password, setPassword] = useState('');
  const [isUnderstood, setUnderstood] = useState(false);
  const [isVisited, setVisited] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isDone, setDone] = useState(false);
  const broken = findPasswordProblem(password);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setVisited(true);
    if (isBusy || broken !== null || !isUnderstood) return;
    setBusy(true);
    setError(undefined);
    try {
      await setNewPassword(secret, kdfEmail, password);
      setDone(true);
    } catch (cause) {
      setError(cause);
    } finally {
      setBusy(false);
    }
  };
  if (isDone) {
    return (
      <div role="status">
        <CircleCheck aria-hidden className="mb-3 text-success" />
        <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Your new password is set')}</h1>
        <p className="mb-5 text-ink-2">
          {t('Sign in with {email} and your new password.', { email: kdfEmail })}
        </p>
        <Link to={signinPath}>{t('Sign in')}</Link>
      </div>
    );
  }
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">{t('Set a new password')}</h1>
      <p className="mb-5 text-ink-2">
        {t('{organization} created this link for {email}.', { organization, email })}
      </p>
      <form noValidate onSubmit={event => void submit(event)} className="flex flex-col gap-4">
        <Banner
          tone="danger"
          icon={<TriangleAlert size={18} />}
          title={t('You’ll lose your existing mail')}
          below={
            <>
              <Link to={recoverPath}>{t('Use your recovery kit')}</Link>
              <Link to={signinPath}>{t('I know my old password')}</Link>
            </>
          }
        >
          {t(
            'A new password creates new keys. Your existing mail stays locked with the old keys, which no one can restore. If you have your old password or your recovery kit, use it instead.',
          )}
        </Banner>
        <HiddenUsername name="email" address={kdfEmail} />
        <NewPasswordField
          value={password}
          onChange={setPassword}
          isVisited={isVisited}
          onVisited={() => setVisited(true)}
        />
        <CheckboxLine
          label={t('I understand that my existing mail can’t be opened again')}
          checked={isUnderstood}
          onChange={setUnderstood}
        />
        {error !== undefined && (
          <p role="alert" className="text-control text-danger">
            {callErrorText(error)}
          </p>
        )}
        <Button type="submit" size="lg" full busy={isBusy} disabled={!isUnderstood}>
          {isBusy ? t('Creating your keys') : t('Set new password')}
        </Button>
      </form>
    </>
  );
}

export function ResetPage() {
  usePageTitle(t('Set a new password'));
  const [secret] = useState(() => secretOfLink(location, 'reset'));
  const query = useQuery({
    queryKey: ['reset'],
    queryFn: () => lookAtReset(secret),
    retry: false,
    gcTime: 0,
    // A refetch after the link was used would report it as gone.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (query.data !== undefined) {
    const { organization, email, kdf_email } = query.data;
    return <ResetForm secret={secret} organization={organization} email={email} kdfEmail={kdf_email} />;
  }
  if (query.error === null) return <Spinner size={24} />;
  return <LinkRefused error={query.error} isAsking={query.isFetching} onRetry={() => void query.refetch()} />;
}
