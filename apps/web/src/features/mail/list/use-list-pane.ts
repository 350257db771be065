/**
 * What the list pane shows of its query: whether it has rows, how many, and which row is in the Tab
 * order.
 */
import { useCallback, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { badgeOf, countIn, findFolder, labelOf } from '../state/folders.ts';
import { useMailCounts, type useMailList } from '../state/queries.ts';
import type { ListFilter } from '../state/view-model.ts';
import type { ListRows } from './list-rows.ts';

/** State of the pane. `waiting` shows nothing while a search runs. */
export type ListPhase = 'loading' | 'ready' | 'failed' | 'waiting' | 'empty';

type Asked = {
  readonly isPending: boolean;
  readonly isError: boolean;
  /** `paused`: will be requested once there is a connection. */
  readonly fetchStatus: 'fetching' | 'paused' | 'idle';
};

/** Returns whether the first response is still pending. */
export const isLoading = ({ isPending, fetchStatus }: Pick<Asked, 'isPending' | 'fetchStatus'>): boolean =>
  isPending && fetchStatus !== 'paused';

/** Returns the phase of a list that currently has `rowCount` rows. */
export function listPhase(list: Asked, rowCount: number, isSearch: boolean): ListPhase {
  if (isLoading(list) && !isSearch) return 'loading';
  if (rowCount > 0) return 'ready';
  if (list.isError) return 'failed';
  return isLoading(list) ? 'waiting' : 'empty';
}

export type ActiveRow = {
  /** Index of the row in the Tab order. */
  readonly index: number;
  /** Last index of the open row; -1 for none. */
  readonly openIndex: number;
  readonly search: string;
};

/**
 * Moves the tab stop to the opened row, however it was opened. The hits of a new search start at
 * the first row.
 */
export function activeRowAfter(state: ActiveRow, openIndex: number, search: string): ActiveRow {
  if (openIndex === state.openIndex && search === state.search) return state;
  const followed = openIndex >= 0 && openIndex !== state.openIndex ? openIndex : state.index;
  return { openIndex, search, index: search !== '' && search !== state.search ? 0 : followed };
}

/** The tab stop of the list, and the function that moves it. */
export function useActiveRow(rows: ListRows, openId: string | null, search: string) {
  const [state, setState] = useState<ActiveRow>({ index: 0, openIndex: -1, search });
  const next = activeRowAfter(state, rows.indexOf(openId), search);
  if (next !== state) setState(next);
  const setActiveIndex = useCallback(
    (index: number) => setState(before => (before.index === index ? before : { ...before, index })),
    [],
  );
  return [Math.min(state.index, Math.max(0, rows.length - 1)), setActiveIndex] as const;
}

/**
 * Returns the texts of the header: the list's name, its size, and the sidebar badge when that
 * counts something else.
 */
export function useListWords(
  list: ReturnType<typeof useMailList>,
  { word, search, filter }: { readonly word: string; readonly search: string; readonly filter: ListFilter },
) {
  const isSearch = search !== '';
  const [page] = list.data?.pages ?? [];
  const total = page?.count ?? null;
  const countedAs = (count: number) =>
    page?.isAbout === true
      ? t('about {count}', { count })
      : // Search hits are single messages, like the rows of Deleted.
        countIn(isSearch ? 'deleted' : word, count);
  const counted = total === null ? null : countedAs(total);
  const counts = useMailCounts().data;
  const folderCount = findFolder(word) === null ? counts?.tags[word] : counts?.folders[word];
  const badge = isSearch || filter !== 'all' || folderCount === undefined ? null : badgeOf(word, folderCount);
  return {
    title: isSearch ? t('Search results') : labelOf(word),
    total,
    counted,
    badge: badge === null || badge.count === 0 || badge.text === counted ? null : badge.text,
  };
}
