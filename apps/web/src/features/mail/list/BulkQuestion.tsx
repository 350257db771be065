// Asks before more than a hundred conversations are changed at once, and before mail is removed for good; everything else
// can be undone and does not ask (docs/interface.md#selection).
import { lazy, Suspense } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { changeName } from '../state/mark-words.ts';
import { type BulkJob, isPurge } from '../state/use-bulk.ts';

const AlertDialog = lazy(async () => ({
  default: (await loadChunk('question', () => import('../../../ui/AlertDialog.tsx'))).AlertDialog,
}));

type BulkQuestionProps = {
  job: BulkJob;
  areDrafts: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Mounted while the question stands. */
export function BulkQuestion({ job, areDrafts, onConfirm, onCancel }: BulkQuestionProps) {
  const { count, mark } = job;
  const purges = isPurge(job);
  const action = changeName(mark);
  const title = !purges
    ? t('{action}: {count, plural, one {# conversation} other {# conversations}}?', { action, count })
    : areDrafts
      ? t('Delete {count, plural, one {# draft} other {# drafts}} for ever?', { count })
      : t('Delete {count, plural, one {# message} other {# messages}} for ever?', { count });
  return (
    <Suspense>
      <AlertDialog
        open
        title={title}
        danger={purges}
        confirmLabel={purges ? t('Delete for ever') : action}
        onConfirm={onConfirm}
        onCancel={onCancel}
      >
        {purges
          ? t(
              '{count, plural, one {Nobody can bring it back, not even the server.} other {Nobody can bring them back, not even the server.}}',
              { count },
            )
          : t('This is done step by step. You can stop it on the way, and undo it afterwards.')}
      </AlertDialog>
    </Suspense>
  );
}
