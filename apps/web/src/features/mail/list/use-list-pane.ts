/** What the list pane shows of its query: whether there are rows, how many, and which of them the Tab key stops at. */
import { useCallback, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { badgeOf, countIn, findFolder, labelOf } from '../state/folders.ts';
import { useMailCounts, type useMailList } from '../state/queries.ts';
import type { ListFilter } from '../state/view-model.ts';
import type { ListRows } from './list-rows.ts';

/** What stands in the pane; `waiting` is nothing, while a search is under way. */
export type ListPhase = 'loading' | 'ready' | 'failed' | 'waiting' | 'empty';

type Asked = {
  readonly isPending: boolean;
  readonly isError: boolean;
  /** `paused`: asked for once there is a connection. */
  readonly fetchStatus: 'fetching' | 'paused' | 'idle';
};

/** Whether the answer is under way and nothing is known yet. */
export const isLoading = ({ isPending, fetchStatus }: Pick<Asked, 'isPending' | 'fetchStatus'>): boolean =>
  isPending && fetchStatus !== 'paused';

/** The phase of a list that has this many rows by now. */
export function listPhase(list: Asked, rowCount: number, isSearch: boolean): ListPhase {
  if (isLoading(list) && !isSearch) return 'loading';
  if (rowCount > 0) return 'ready';
  if (list.isError) return 'failed';
  return isLoading(list) ? 'waiting' : 'empty';
}

export type ActiveRow = {
  /** The row that the Tab key stops at. */
  readonly index: number;
  /** Where the open row was; -1 for none. */
  readonly openIndex: number;
  readonly search: string;
};

/** The tab stop follows what is opened, by whatever way; the hits of another search begin at the first one. */
export function activeRowAfter(state: ActiveRow, openIndex: number, search: string): ActiveRow {
  if (openIndex === state.openIndex && search === state.search) return state;
  const followed = openIndex >= 0 && openIndex !== state.openIndex ? openIndex : state.index;
  return { openIndex, search, index: search !== '' && search !== state.search ? 0 : followed };
}

/** The tab stop of the list, and what moves it. */
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

/** The words of the head: the list's name, how much there is, and the badge of the sidebar where it counts something else. */
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
      : // Hits are single messages, as those of Deleted are.
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
