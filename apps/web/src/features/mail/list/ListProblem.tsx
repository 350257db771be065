// Reports that a list could not be loaded, instead of the rows or as a strip above existing rows.
// Retries automatically and shows when (docs/interface.md#states).
import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../../lib/language.ts';
import { useCountdown } from '../../../lib/later.ts';
import { joinSentences } from '../../../lib/words.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { LIST_RETRY_MS } from '../../../timing.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';

type ListProblemProps = {
  error: unknown;
  /** Time of the failure, in milliseconds since 1970. */
  failedAt: number;
  isRetrying: boolean;
  onRetry: () => void;
  /** Whether rows of an earlier load are shown. */
  hasRows: boolean;
};

/** Mounted while the problem lasts. */
export function ListProblem({ error, failedAt, isRetrying, onRetry, hasRows }: ListProblemProps) {
  const seconds = useCountdown(failedAt + LIST_RETRY_MS);
  const isDue = seconds === 0 && !isRetrying;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it is due
  useEffect(() => {
    if (isDue && navigator.onLine) onRetry();
  }, [isDue]);
  const next = isRetrying || seconds === 0 ? '' : t('Trying again in {seconds} s.', { seconds });
  if (hasRows) {
    return (
      <div
        role="alert"
        className="flex shrink-0 items-center gap-2 border-b border-line bg-danger-bg px-4 py-1 text-control text-danger"
      >
        <CloudOff aria-hidden size={15} className="shrink-0" />
        <span className="min-w-0 flex-1">{callErrorText(error)}</span>
        <Button size="xs" variant="inherit" busy={isRetrying} onClick={onRetry}>
          {t('Try again now')}
        </Button>
      </div>
    );
  }
  return (
    <ErrorState
      title={callErrorText(error)}
      text={joinSentences(t('Your mail is safe. It will appear when the connection is restored.'), next)}
      retryLabel={t('Try again now')}
      busy={isRetrying}
      onRetry={onRetry}
    />
  );
}
