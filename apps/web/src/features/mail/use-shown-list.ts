// The list that the address names: its rows, their views, the selection, and access to its
// elements.
import type { Tag } from '@keyfold/contract';
import { useCallback, useMemo, useRef } from 'react';
import { useUser } from '../../session/state/current-user.ts';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { createListRows } from './list/list-rows.ts';
import { useFreshMail } from './list/use-fresh-mail.ts';
import { useListWindow } from './list/use-list-window.ts';
import { usePendingRows } from './list/use-pending-rows.ts';
import { useSelection } from './list/use-selection.ts';
import { isMixed } from './state/folders.ts';
import { placesOf } from './state/list-changes.ts';
import type { MailRowData } from './state/mail-cache.ts';
import { type Place, placeOfFolder } from './state/mail-places.ts';
import { mailListKey, useMailList } from './state/queries.ts';
import { rowViewOf } from './state/row-view.ts';
import type { MailRowView } from './state/view-model.ts';
import type { MailAddress } from './use-mail-address.ts';

const noTags: readonly Tag[] = [];

/** Provides the view of a row. The function keeps its identity as long as no row's view changes. */
function useRowViews({ word, search }: MailAddress) {
  const user = useUser();
  const pending = usePendingRows();
  const tags = user?.tags ?? noTags;
  return useCallback(
    (row: MailRowData): MailRowView => {
      const view = rowViewOf(row, tags, new Date(), search !== '' || isMixed(word));
      return pending.has(view.id) ? { ...view, activity: 'pending' } : view;
    },
    [tags, pending, search, word],
  );
}

/** Provides the list, live. */
export function useShownList(address: MailAddress) {
  const { word, filter, search, page } = address;
  const handle = useRef<VirtualListHandle>(null);
  const name = `${word}/${filter}/${search}`;
  const fresh = useFreshMail(name, () => handle.current?.isAtTop() ?? true);
  const query = useMailList(word, filter, search, page);
  const rows = useMemo(() => createListRows(query.data?.pages ?? []), [query.data]);
  const viewOf = useRowViews(address);
  const total = query.data?.pages[0]?.count ?? 0;
  const selection = useSelection(rows, name, total);
  const key = mailListKey(word, filter, search, page);
  const listWindow = useListWindow(key, query.data?.pages.length ?? 0, selection.isNamed);
  const checkedRows = () => rows.presentWhere(id => selection.checked.has(id));
  return {
    handle,
    query,
    rows,
    viewOf,
    /** Number of conversations in the whole list. */
    total,
    selection,
    hasSelection: selection.count > 0,
    checkedRows,
    selectedPlaces: (): readonly Place[] =>
      selection.isWhole ? [placeOfFolder(word)] : placesOf(checkedRows()),
    listWindow,
    fresh: {
      ...fresh,
      show: () => {
        handle.current?.scrollToTop();
        fresh.show();
      },
    },
  };
}

export type ShownList = ReturnType<typeof useShownList>;
