// The line above search results: how far the index reaches or why results may be missing, the
// switch for where to search, and that results are pending. It also requests the results again
// while the index grows, and has the hits highlighted.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { formatLocale, t } from '../../lib/language.ts';
import { useLater } from '../../lib/later.ts';
import { zoneOption } from '../../lib/time-zone.ts';
import { QUIET_WAIT_MS, searchRefreshMs } from '../../timing.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { PlaceSwitch } from './PlaceSwitch.tsx';
import { type SearchView, useSearchView } from './search-state.ts';
import { ensureSearch } from './start.ts';
import { useMarkedHits } from './use-marked-hits.ts';

/** Returns the text about the index, or null when there is nothing to report. */
function wordsOf({ index, hasServerFailed, hasIndexFailed }: SearchView): string | null {
  if (hasIndexFailed)
    return t('Message text can’t be searched on this device. You can still search by name and address.');
  if (hasServerFailed) return t('Couldn’t search on the server. Showing results from this device.');
  if (index === null || index.phase === 'starting') return t('Opening the search index…');
  if (index.isComplete) return null;
  const share = index.total === 0 ? 0 : Math.floor((100 * index.indexed) / index.total);
  const isPaused = index.phase === 'resting';
  if (index.since === null) return isPaused ? t('Indexing paused') : t('Indexing your mail…');
  const date = new Date(index.since).toLocaleDateString(formatLocale(), {
    ...zoneOption(),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return isPaused
    ? t('Mail since {date} is indexed ({share}%). Paused.', { date, share })
    : t('Mail since {date} is indexed ({share}%)', { date, share });
}

type SearchStripProps = {
  search: string;
  /** No results have arrived yet. */
  isWaiting: boolean;
};

/** Mounted while a search is active. */
export function SearchStrip({ search, isWaiting }: SearchStripProps) {
  const view = useSearchView();
  const cache = useQueryClient();
  useMarkedHits(search);
  useEffect(() => ensureSearch(), []);
  const indexed = view.index?.indexed ?? 0;
  const isComplete = view.index?.isComplete === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each growth of the index
  useEffect(() => {
    const asking = setTimeout(
      () =>
        void cache.invalidateQueries({
          queryKey: ['mail-list', 'all', { search }],
          exact: false,
          refetchType: 'active',
        }),
      searchRefreshMs,
    );
    return () => clearTimeout(asking);
  }, [isComplete, Math.floor(indexed / 200), cache, search]);
  const words = wordsOf(view);
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-center justify-end gap-x-2 border-b border-line bg-well py-0.5 ps-4 pe-2 text-control pointer-coarse:py-1.5 text-ink-2">
        <span role="status" className="min-w-32 flex-1">
          {words}
        </span>
        <PlaceSwitch search={search} />
      </div>
      {isWaiting && <SearchWait />}
    </>
  );
}

function SearchWait() {
  const isVisible = useLater(QUIET_WAIT_MS);
  return (
    <p role="status" className="flex items-center justify-center gap-2.5 px-6 py-12 text-control text-ink-2">
      {isVisible && (
        <>
          <Spinner className="text-ink-3" />
          {t('Searching…')}
        </>
      )}
    </p>
  );
}
