// A link of an organisation that leads nowhere any more, or that could not be asked about.
import { CallError } from '@keyfold/contract/client';
import { t } from '../../lib/language.ts';
import { signinPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';

type LinkRefusedProps = {
  error: unknown;
  isAsking: boolean;
  onRetry: () => void;
};

/** What the server says, and what can be done. */
export function LinkRefused({ error, isAsking, onRetry }: LinkRefusedProps) {
  const isRefused = error instanceof CallError && (error.status === 404 || error.status === 400);
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">
        {isRefused ? t('This link does not work any more') : t('The link could not be looked at')}
      </h1>
      <p role="alert" className="mb-5 text-ink-2">
        {callErrorText(error)}
      </p>
      {isRefused ? (
        <p className="mb-5 text-ink-2">{t('Ask whoever gave it to you for a new one.')}</p>
      ) : (
        <div className="mb-5">
          <Button variant="outline" busy={isAsking} onClick={onRetry}>
            {t('Try again')}
          </Button>
        </div>
      )}
      <Link to={signinPath}>{t('Sign in')}</Link>
    </>
  );
}
