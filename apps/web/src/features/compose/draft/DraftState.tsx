// The save state of a draft: saving, saved at a time, on this device only, or not saved. Announced
// politely.
import { formatClock } from '../../../lib/dates.ts';
import { sentenceGap, t } from '../../../lib/language.ts';
import type { DraftView } from './view-model.ts';

type DraftStateProps = {
  draft: DraftView;
  onRetry: () => void;
};

/** A short status text in the composer's header. */
export function DraftState({ draft, onRetry }: DraftStateProps) {
  return (
    <small aria-live="polite" className="min-w-0 text-meta leading-tight font-normal text-ink-3 tabular-nums">
      {draft.kind === 'saving' && t('Saving…')}
      {draft.kind === 'saved' && t('Draft saved {time}', { time: formatClock(draft.at) })}
      {draft.kind === 'device' && t('Saved on this device (offline)')}
      {draft.kind === 'failed' && (
        <span className="text-danger">
          {t('Draft not saved.')}
          {sentenceGap()}
          <button
            type="button"
            onClick={onRetry}
            className="rounded-chip font-semibold underline underline-offset-2"
          >
            {t('Try again')}
          </button>
        </span>
      )}
    </small>
  );
}
