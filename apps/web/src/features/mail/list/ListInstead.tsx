// Shown instead of the rows of a list: why it could not be loaded, or why it is empty.
import { Suspense } from 'react';
import type { useMailList } from '../state/queries.ts';
import type { ListFilter } from '../state/view-model.ts';
import { ListProblem } from './ListProblem.tsx';
import { EmptyList } from './lazy-parts.ts';
import type { ListPhase } from './use-list-pane.ts';

type ListInsteadProps = {
  phase: ListPhase;
  word: string;
  search: string;
  filter: ListFilter;
  /** First page of the list, from 0. */
  page: number;
  list: ReturnType<typeof useMailList>;
  /** Clears filter and search. */
  onShowAll: () => void;
};

/** Shown instead of the rows. A running search is reported by the strip, not here. */
export function ListInstead({ phase, word, search, filter, page, list, onShowAll }: ListInsteadProps) {
  if (phase === 'failed')
    return (
      <ListProblem
        error={list.error}
        failedAt={list.errorUpdatedAt}
        isRetrying={list.isFetching}
        onRetry={() => void list.refetch()}
        hasRows={false}
      />
    );
  if (phase !== 'empty') return null;
  return (
    <Suspense>
      <EmptyList
        word={word}
        isOffline={list.isPending}
        isSearch={search !== ''}
        isFiltered={filter !== 'all'}
        isBeyond={page > 0 && (list.data?.pages[0]?.count ?? 0) > 0}
        onShowAll={onShowAll}
      />
    </Suspense>
  );
}
