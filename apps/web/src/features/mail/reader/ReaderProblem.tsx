// Shown when a conversation cannot be displayed: the cause, a retry button and, in the single-pane
// layout, a back button.
import { CallError } from '@keyfold/contract/client';
import { ArrowLeft } from 'lucide-react';
import { t } from '../../../lib/language.ts';
import { callErrorText } from '../../../session/calls/error-text.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';

type ReaderProblemProps = {
  problem: unknown;
  hasBack: boolean;
  onBack: () => void;
  onRetry: () => void;
};

/**
 * The server did not respond. If the conversation had been opened on this device before, its cached
 * copy would be shown.
 */
const isOffline = (problem: unknown): boolean => problem instanceof CallError && problem.status === 0;

export function ReaderProblem({ problem, hasBack, onBack, onRetry }: ReaderProblemProps) {
  return (
    <div className="flex h-full flex-col bg-surface">
      {hasBack && (
        <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
          <IconButton label={t('Back')} onClick={onBack}>
            <ArrowLeft size={18} className="rtl:-scale-x-100" />
          </IconButton>
        </div>
      )}
      <div className="min-h-0 flex-1">
        <ErrorState
          title={callErrorText(problem)}
          text={
            isOffline(problem)
              ? t('This message isn’t saved on this device. You can read it when you’re back online.')
              : t('Couldn’t load the message.')
          }
          onRetry={onRetry}
        />
      </div>
    </div>
  );
}
