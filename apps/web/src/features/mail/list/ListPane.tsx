// The list of the mail screen, connected to its data: rows, selection, the strips above it, and the
// placeholder of an empty list.
import { type Ref, Suspense, useEffect } from 'react';
import { t } from '../../../lib/language.ts';
import { recieved } from '../../../paths.ts';
import { useFirstSteps } from '../../../session/state/first-steps.ts';
import { COMPOSER_WARM_MS } from '../../../timing.ts';
import { LiveRegion } from '../../../ui/LiveRegion.tsx';
import type { VirtualListHandle } from '../../../ui/VirtualList.tsx';
import type { MailRowData } from '../state/mail-cache.ts';
import type { Place } from '../state/mail-places.ts';
import type { useMailList } from '../state/queries.ts';
import type { Density, ListFilter, MailRowView } from '../state/view-model.ts';
import { ListHead } from './ListHead.tsx';
import { ListInstead } from './ListInstead.tsx';
import { ListProblem } from './ListProblem.tsx';
import { ListStrips } from './ListStrips.tsx';
import { FirstSteps, SearchStrip, warmListParts } from './lazy-parts.ts';
import type { ListRows } from './list-rows.ts';
import { MailList } from './MailList.tsx';
import type { MailRowActions } from './MailRow.tsx';
import type { OnAct } from './OfferButton.tsx';
import type { useFreshMail } from './use-fresh-mail.ts';
import { isLoading, listPhase, useActiveRow, useListWords } from './use-list-pane.ts';
import type { useSelection } from './use-selection.ts';

export type ListPaneProps = {
  ref?: Ref<VirtualListHandle>;
  word: string;
  filter: ListFilter;
  search: string;
  /** First page of the list, from 0. */
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
  /** Clears filter and search. */
  onShowAll: () => void;
  /** Returns the places of the selected conversations. */
  selectedPlaces: () => readonly Place[];
  /** Performs an action on all selected conversations. */
  onActSelection: OnAct;
  /** Permanently deletes everything in Deleted. */
  onPurgeAll: () => void;
  onRefresh: () => Promise<unknown>;
  fresh: ReturnType<typeof useFreshMail>;
};

/** Strip above the rows: the progress of a search, or a failed refresh. */
function QueryStrip(props: Pick<ListPaneProps, 'list' | 'rows' | 'search' | 'onRefresh'>) {
  const { list, rows, search, onRefresh } = props;
  if (search !== '' && !list.isError)
    return (
      <Suspense>
        <SearchStrip search={search} isWaiting={isLoading(list)} />
      </Suspense>
    );
  if (!list.isError || rows.length === 0) return null;
  return (
    <ListProblem
      error={list.error}
      failedAt={list.errorUpdatedAt}
      isRetrying={list.isFetching}
      onRetry={() => void (list.isFetchNextPageError ? list.fetchNextPage() : onRefresh())}
      hasRows
    />
  );
}

export function ListPane(props: ListPaneProps) {
  const { ref, word, list, rows, selection, openId, fresh } = props;
  const isSearch = props.search !== '';
  const notedSteps = useFirstSteps();
  const { title, total, counted, badge } = useListWords(list, props);
  const [activeIndex, setActiveIndex] = useActiveRow(rows, openId, props.search);
  useEffect(() => {
    // Loaded before the first row is selected.
    const warming = setTimeout(warmListParts, COMPOSER_WARM_MS);
    return () => clearTimeout(warming);
  }, []);
  const phase = listPhase(list, rows.length, isSearch);
  return (
    <>
      <MailList
        {...(ref === undefined ? {} : { ref })}
        title={title}
        header={
          <ListHead
            title={title}
            counted={counted}
            badge={badge}
            filter={props.filter}
            onFilterChange={props.onFilterChange}
            isRefreshing={list.isFetching && !isLoading(list)}
            onRefresh={props.onRefresh}
            rows={rows}
            selection={selection}
            selectedPlaces={props.selectedPlaces}
            onActSelection={props.onActSelection}
          />
        }
        strip={
          <ListStrips
            word={isSearch ? 'all' : word}
            total={total}
            loaded={rows.presentCount}
            canSelectWhole={!isSearch}
            selection={selection}
            onPurgeAll={props.onPurgeAll}
            problem={<QueryStrip {...props} />}
          />
        }
        waiting={fresh.waiting}
        onShowWaiting={fresh.show}
        onRefresh={props.onRefresh}
        rows={rows}
        viewOf={props.viewOf}
        total={total ?? rows.length}
        state={phase === 'loading' || phase === 'ready' ? phase : 'replaced'}
        instead={<ListInstead {...props} phase={phase} />}
        isRefreshing={list.isFetching}
        density={props.density}
        openId={openId}
        checkedIds={selection.checked}
        activeIndex={activeIndex}
        onActiveChange={setActiveIndex}
        onRangeShown={props.onRangeShown}
        onEndReached={() => {
          if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
        }}
        actions={props.actions}
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
