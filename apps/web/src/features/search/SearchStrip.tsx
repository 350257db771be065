// The line over search results: how far the index reaches, or why something may be missing, and where is searched, which can
// be changed there; and that there are none yet. It also asks for the results again while the index grows, and has the hits
// marked.
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

/** What is said about the index; null when there is nothing to say. */
function wordsOf({ index, hasServerFailed, hasIndexFailed }: SearchView): string | null {
  if (hasIndexFailed)
    return t('Searching the text of mail does not work here. Names and addresses are found.');
  if (hasServerFailed) return t('Search on the server failed, showing what is on this device');
  if (index === null || index.phase === 'starting') return t('Opening the search index…');
  if (index.isComplete) return null;
  const share = index.total === 0 ? 0 : Math.floor((100 * index.indexed) / index.total);
  const paused = index.phase === 'resting' ? ` ${t('Paused.')}` : '';
  if (index.since === null) return t('Indexing your mail…') + paused;
  const date = new Date(index.since).toLocaleDateString(formatLocale(), {
    ...zoneOption(),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return t('Indexed since {date}, {share} %', { date, share }) + paused;
}

type SearchStripProps = {
  search: string;
  /** There is no answer yet. */
  isWaiting: boolean;
};

/** Mounted while a search stands. */
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

/** "Searching…" */
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
