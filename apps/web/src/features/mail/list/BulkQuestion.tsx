// Asks before more than a hundred conversations are changed at once, and before messages are
// deleted permanently. Everything else can be undone and needs no confirmation
// (docs/interface.md#selection).
import { lazy, Suspense } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { type BulkJob, isPurge } from '../state/bulk-job.ts';
import { changeName } from '../state/change-words.ts';

const AlertDialog = lazy(async () => ({
  default: (await loadChunk('question', () => import('../../../ui/AlertDialog.tsx'))).AlertDialog,
}));

type BulkQuestionProps = {
  job: BulkJob;
  areDrafts: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Mounted while the question is open. */
export function BulkQuestion({ job, areDrafts, onConfirm, onCancel }: BulkQuestionProps) {
  const { count, change } = job;
  const purges = isPurge(job);
  const action = changeName(change);
  const title = !purges
    ? t('{action}: {count, plural, one {# conversation} other {# conversations}}?', { action, count })
    : areDrafts
      ? t('Delete {count, plural, one {# draft} other {# drafts}} permanently?', { count })
      : t('Delete {count, plural, one {# message} other {# messages}} permanently?', { count });
  return (
    <Suspense>
      <AlertDialog
        open
        title={title}
        danger={purges}
        confirmLabel={purges ? t('Delete permanently') : action}
        onConfirm={onConfirm}
        onCancel={onCancel}
      >
        {purges
          ? t(
              '{count, plural, one {It can’t be recovered, not even by the server.} other {They can’t be recovered, not even by the server.}}',
              { count },
            )
          : t('This runs in batches. You can stop it at any time and undo it afterward.')}
      </AlertDialog>
    </Suspense>
  );
}
