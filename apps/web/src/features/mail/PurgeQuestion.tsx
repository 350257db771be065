// Asks before mail is removed for good; everything else can be undone and does not ask (ux section 1, Undo).
import { lazy, Suspense } from 'react';
import { loadChunk } from '../../lib/load-chunk.ts';
import { plural } from '../../lib/words.ts';

const AlertDialog = lazy(async () => ({
  default: (await loadChunk('question', () => import('../../ui/AlertDialog.tsx'))).AlertDialog,
}));

interface PurgeQuestionProps {
  /** Mails that would be removed. */
  count: number;
  areDrafts: boolean;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Mounted while the question stands. */
export function PurgeQuestion({ count, areDrafts, onConfirm, onCancel }: PurgeQuestionProps) {
  const what = plural(count, areDrafts ? 'draft' : 'message');
  return (
    <Suspense>
      <AlertDialog
        open
        title={`Delete ${what} for ever?`}
        confirmLabel="Delete for ever"
        onConfirm={onConfirm}
        onCancel={onCancel}
      >
        Nobody can bring {count === 1 ? 'it' : 'them'} back, not even the server.
      </AlertDialog>
    </Suspense>
  );
}
