// An organization's link that is no longer valid, or that could not be checked.
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

/** Shows the server's text and the available actions. */
export function LinkRefused({ error, isAsking, onRetry }: LinkRefusedProps) {
  const isRefused = error instanceof CallError && (error.status === 404 || error.status === 400);
  return (
    <>
      <h1 className="mb-1 text-page font-semibold tracking-tight">
        {isRefused ? t('This link no longer works') : t('Couldn’t check this link')}
      </h1>
      <p role="alert" className="mb-5 text-ink-2">
        {callErrorText(error)}
      </p>
      {isRefused ? (
        <p className="mb-5 text-ink-2">{t('Ask the person who gave you the link for a new one.')}</p>
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
