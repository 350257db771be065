// Placeholder for content that failed to load: what happened, what is safe, and a way to retry.
import { CloudOff, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../lib/language.ts';
import { Button } from './Button.tsx';
import { EmptyState } from './EmptyState.tsx';

type ErrorStateProps = {
  title: string;
  text: ReactNode;
  retryLabel?: string;
  busy?: boolean;
  onRetry?: (() => void) | undefined;
};

/** An error block with a retry button, announced to screen readers. */
export function ErrorState({
  title,
  text,
  retryLabel = t('Try again'),
  busy = false,
  onRetry,
}: ErrorStateProps) {
  return (
    <EmptyState
      role="alert"
      tone="danger"
      icon={<CloudOff />}
      title={title}
      text={text}
      action={
        onRetry !== undefined && (
          <Button variant="outline" busy={busy} onClick={onRetry}>
            {!busy && <RefreshCw size={15} />}
            {retryLabel}
          </Button>
        )
      }
    />
  );
}
