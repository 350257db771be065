// The reading pane where a conversation cannot be shown: why, a way to try again, and on one pane the way back.
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

/** Nobody answered: what was opened on this device before would have been shown. */
const isOffline = (problem: unknown): boolean => problem instanceof CallError && problem.status === 0;

/** What went wrong. */
export function ReaderProblem({ problem, hasBack, onBack, onRetry }: ReaderProblemProps) {
  return (
    <div className="flex h-full flex-col bg-surface">
      {hasBack && (
        <div className="flex h-12 shrink-0 items-center border-b border-line px-3">
          <IconButton label={t('Back')} onClick={onBack}>
            <ArrowLeft size={18} />
          </IconButton>
        </div>
      )}
      <div className="min-h-0 flex-1">
        <ErrorState
          title={callErrorText(problem)}
          text={
            isOffline(problem)
              ? t('This message is not kept on this device. It can be read once there is a connection.')
              : t('The message could not be fetched.')
          }
          onRetry={onRetry}
        />
      </div>
    </div>
  );
}
