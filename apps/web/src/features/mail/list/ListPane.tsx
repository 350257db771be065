// The list of the mail screen, connected: its rows, what is checked, the strips over it, and what stands in its place when
// there is nothing.
import { type ComponentType, lazy, type Ref, Suspense, useEffect, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { loadChunk } from '../../../lib/load-chunk.ts';
import { recieved } from '../../../paths.ts';
import { type NotedStep, useFirstSteps } from '../../../session/state/first-steps.ts';
import { COMPOSER_WARM_MS } from '../../../timing.ts';
import { LiveRegion } from '../../../ui/LiveRegion.tsx';
import type { VirtualListHandle } from '../../../ui/VirtualList.tsx';
import { badgeOf, countIn, findFolder, labelOf } from '../state/folders.ts';
import type { MailRowData } from '../state/mail-cache.ts';
import type { Place } from '../state/mail-places.ts';
import { useMailCounts, type useMailList } from '../state/queries.ts';
import type { Density, ListFilter, MailRowView } from '../state/view-model.ts';
import type { EmptyListProps } from './EmptyList.tsx';
import { ListHeader } from './ListHeader.tsx';
import { ListProblem } from './ListProblem.tsx';
import { ListStrips } from './ListStrips.tsx';
import type { ListRows } from './list-rows.ts';
import { MailList } from './MailList.tsx';
import type { MailRowActions } from './MailRow.tsx';
import type { OnAct } from './OfferButton.tsx';
import type { useFreshMail } from './use-fresh-mail.ts';
import type { useSelection } from './use-selection.ts';

const loadBulkBar = () => loadChunk('bulk', () => import('./BulkBar.tsx'));
const BulkBar = lazy(async () => ({ default: (await loadBulkBar()).BulkBar }));

const loadEmptyList = () => loadChunk('empty-list', () => import('./EmptyList.tsx'));
const EmptyList = lazy(async () => ({
  // Words that cannot be loaded must not take the folders away with them.
  default: await loadEmptyList().then(
    one => one.EmptyList,
    () => (_: EmptyListProps) => null,
  ),
}));

const SearchStrip = lazy(async () => ({
  default: (await loadChunk('search', () => import('../../search/SearchStrip.tsx'))).SearchStrip,
}));

const FirstSteps = lazy(async () => ({
  // A checklist that cannot be loaded must not stand in the way of mail.
  default: await loadChunk('first-steps', () => import('./FirstSteps.tsx')).then(
    one => one.FirstSteps,
    (): ComponentType<{ noted: readonly NotedStep[] }> => () => null,
  ),
}));

export type ListPaneProps = {
  ref?: Ref<VirtualListHandle>;
  word: string;
  filter: ListFilter;
  search: string;
  /** Where the list begins, from 0. */
  page: number;
  list: ReturnType<typeof useMailList>;
  rows: ListRows;
  onRangeShown: (first: number, end: number) => void;
  viewOf: (row: MailRowData) => MailRowView;
  density: Density;
  selection: ReturnType<typeof useSelection>;
  openId: string | null;
  actions: MailRowActions;
  onFilterChange: (filter: ListFilter) => void;
  /** Takes filter and search away. */
  onShowAll: () => void;
  /** The places of what is selected. */
  selectedPlaces: () => readonly Place[];
  /** Does something with everything that is selected. */
  onActSelection: OnAct;
  /** Removes everything in Deleted for good. */
  onPurgeAll: () => void;
  onRefresh: () => Promise<unknown>;
  fresh: ReturnType<typeof useFreshMail>;
};

/** The pane in the middle. */
export function ListPane(props: ListPaneProps) {
  const { ref, word, list, rows, selection, openId, actions, fresh } = props;
  const isSearch = props.search !== '';
  const notedSteps = useFirstSteps();
  const title = isSearch ? t('Search results') : labelOf(word);
  const [activeIndex, setActiveIndex] = useState(0);
  // The tab stop follows what is opened, by whatever way.
  const openIndex = rows.indexOf(openId);
  const [followed, setFollowed] = useState(-1);
  if (openIndex !== followed) {
    setFollowed(openIndex);
    if (openIndex >= 0) setActiveIndex(openIndex);
  }
  const total = list.data?.pages[0]?.count ?? null;
  const counted =
    total === null
      ? null
      : list.data?.pages[0]?.isAbout === true
        ? t('about {count}', { count: total })
        : // Hits are single messages, as those of Deleted are.
          countIn(isSearch ? 'deleted' : word, total);
  const isLoading = list.isPending && list.fetchStatus !== 'paused';
  // The hits of another search begin at the first one.
  const [searched, setSearched] = useState(props.search);
  if (searched !== props.search) {
    setSearched(props.search);
    if (isSearch) setActiveIndex(0);
  }
  useEffect(() => {
    // Fetched ahead of the first tick; a failure shows when it is used.
    const warming = setTimeout(
      () => void Promise.all([loadBulkBar(), loadEmptyList()]).catch(() => undefined),
      COMPOSER_WARM_MS,
    );
    return () => clearTimeout(warming);
  }, []);
  const counts = useMailCounts().data;
  const folderCount = findFolder(word) === null ? counts?.tags[word] : counts?.folders[word];
  const badge =
    isSearch || props.filter !== 'all' || folderCount === undefined ? null : badgeOf(word, folderCount);
  const plainHeader = (
    <ListHeader
      badge={badge === null || badge.count === 0 || badge.text === counted ? null : badge.text}
      title={title}
      counted={counted}
      filter={props.filter}
      onFilterChange={props.onFilterChange}
      isRefreshing={list.isFetching && !isLoading}
      onRefresh={props.onRefresh}
      onCheckAll={rows.length === 0 ? undefined : selection.checkAll}
    />
  );
  const header =
    selection.count > 0 ? (
      <Suspense fallback={plainHeader}>
        <BulkBar
          where={props.selectedPlaces()}
          count={selection.count}
          isAll={
            selection.isWhole
              ? selection.unchecked.length === 0
              : selection.checked.size === rows.presentCount
          }
          onClear={selection.clear}
          onAct={props.onActSelection}
        />
      </Suspense>
    ) : (
      plainHeader
    );
  return (
    <>
      <MailList
        {...(ref === undefined ? {} : { ref })}
        title={title}
        header={header}
        strip={
          <ListStrips
            word={isSearch ? 'all' : word}
            total={total}
            loaded={rows.presentCount}
            canSelectWhole={!isSearch}
            selection={selection}
            onPurgeAll={props.onPurgeAll}
            problem={
              isSearch && !list.isError ? (
                <Suspense>
                  <SearchStrip search={props.search} isWaiting={isLoading} />
                </Suspense>
              ) : list.isError && rows.length > 0 ? (
                <ListProblem
                  error={list.error}
                  failedAt={list.errorUpdatedAt}
                  isRetrying={list.isFetching}
                  onRetry={() => void (list.isFetchNextPageError ? list.fetchNextPage() : props.onRefresh())}
                  hasRows
                />
              ) : null
            }
          />
        }
        waiting={fresh.waiting}
        onShowWaiting={fresh.show}
        onRefresh={props.onRefresh}
        rows={rows}
        viewOf={props.viewOf}
        total={total ?? rows.length}
        state={isLoading && !isSearch ? 'loading' : rows.length === 0 ? 'replaced' : 'ready'}
        instead={
          list.isError ? (
            <ListProblem
              error={list.error}
              failedAt={list.errorUpdatedAt}
              isRetrying={list.isFetching}
              onRetry={() => void list.refetch()}
              hasRows={false}
            />
          ) : list.isPending && list.fetchStatus !== 'paused' ? null : (
            // Of a search that is under way the strip tells.
            <Suspense>
              <EmptyList
                word={word}
                isOffline={list.isPending}
                isSearch={isSearch}
                isFiltered={props.filter !== 'all'}
                isBeyond={props.page > 0 && (total ?? 0) > 0}
                onShowAll={props.onShowAll}
              />
            </Suspense>
          )
        }
        isRefreshing={list.isFetching}
        density={props.density}
        openId={openId}
        checkedIds={selection.checked}
        activeIndex={Math.min(activeIndex, Math.max(0, rows.length - 1))}
        onActiveChange={setActiveIndex}
        onRangeShown={props.onRangeShown}
        onEndReached={() => {
          if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
        }}
        actions={actions}
        footer={
          notedSteps !== null &&
          word === recieved &&
          !isSearch && (
            <Suspense>
              <FirstSteps noted={notedSteps} />
            </Suspense>
          )
        }
      />
      <LiveRegion text={fresh.news} />
      <LiveRegion text={selection.count > 0 ? t('{count} selected', { count: selection.count }) : ''} />
    </>
  );
}
