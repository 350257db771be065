// A list that could not be fetched: in the place of its rows, or as a strip over rows that are still there. Tries again by
// itself and says when (docs/interface.md#states).
import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../../../lib/language.ts';
import { useCountdown } from '../../../lib/later.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { LIST_RETRY_MS } from '../../../timing.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';

type ListProblemProps = {
  error: unknown;
  /** When it failed, milliseconds since 1970. */
  failedAt: number;
  isRetrying: boolean;
  onRetry: () => void;
  /** Rows of before are shown. */
  hasRows: boolean;
};

/** Mounted while it stands. */
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
      text={`${t('Your mail is safe. It will be here when the connection is back.')} ${next}`.trim()}
      retryLabel={t('Try again now')}
      busy={isRetrying}
      onRetry={onRetry}
    />
  );
}
