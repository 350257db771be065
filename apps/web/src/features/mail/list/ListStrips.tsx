// The strips between the list header and the rows: the size of the selection, the progress of a
// long change, a note about this folder, and a failed refresh.
import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { Button } from '../../../ui/Button.tsx';
import { useBulkProgress } from '../state/bulk-job.ts';
import { labelOf } from '../state/folders.ts';
import { BulkStrip } from './lazy-parts.ts';
import { SelectAllBar } from './SelectAllBar.tsx';
import type { useSelection } from './use-selection.ts';

const FlaggedStrip = lazy(async () => ({
  default: (await loadChunk('flagged', () => import('./FlaggedStrip.tsx'))).FlaggedStrip,
}));

type ListStripsProps = {
  word: string;
  total: number | null;
  loaded: number;
  canSelectWhole: boolean;
  selection: ReturnType<typeof useSelection>;
  onPurgeAll: () => void;
  problem: ReactNode;
};

/** Shows the strips that currently apply. */
export function ListStrips(props: ListStripsProps) {
  const { word, total, loaded, canSelectWhole, selection, onPurgeAll, problem } = props;
  const progress = useBulkProgress();
  const isEmpty = total === null || total === 0;
  return (
    <>
      {problem}
      {progress !== null && (
        <Suspense>
          <BulkStrip progress={progress} />
        </Suspense>
      )}
      {selection.count > 0 ? (
        <SelectAllBar
          checked={selection.checked.size}
          loaded={loaded}
          total={canSelectWhole ? (total ?? loaded) : loaded}
          count={selection.count}
          folder={labelOf(word)}
          isWholeFolder={selection.isWhole}
          onSelectWhole={selection.checkWhole}
        />
      ) : (
        <>
          {word === 'deleted' && !isEmpty && (
            <div className="flex shrink-0 items-center gap-2 border-b border-line bg-well py-1 ps-4 pe-2 text-control text-ink-2">
              <span className="min-w-0 flex-1">{t('Deleted messages are kept for 30 days.')}</span>
              <Button size="xs" variant="quietDanger" onClick={onPurgeAll}>
                {t('Empty Deleted')}
              </Button>
            </div>
          )}
          {word === 'flagged' && !isEmpty && (
            <Suspense fallback={<div className="h-9 shrink-0 border-b border-line bg-well" />}>
              <FlaggedStrip total={total} />
            </Suspense>
          )}
        </>
      )}
    </>
  );
}
