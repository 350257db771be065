// The mail view `/app/inbox/{tag}/{index}`: list and reader, what is selected, and what is done with it. The page number
// and the open mail are in the address (docs/interpretations.md#44), so that a reload and the back button keep them.
import type { Tag } from '@keyfold/contract';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../lib/language.ts';
import { loadChunk } from '../../lib/load-chunk.ts';
import { useMedia } from '../../lib/media.ts';
import { inboxPath } from '../../paths.ts';
import { callErrorText } from '../../session/calls/error-text.ts';
import { type KnownCommand, useCommands } from '../../session/commands/commands.ts';
import { useUser } from '../../session/state/current-user.ts';
import { usePreferences } from '../../session/state/preferences.ts';
import { showToast } from '../../ui/toasts.ts';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { openDraft } from '../compose/letters/composers.ts';
import { ListPane } from './list/ListPane.tsx';
import { anchorOf, focusedRow } from './list/list-focus.ts';
import { createListRows } from './list/list-rows.ts';
import type { CheckMode, MailRowActions } from './list/MailRow.tsx';
import type { OnAct } from './list/OfferButton.tsx';
import type { PanelState } from './list/OrganisePanel.tsx';
import type { RowMenuState } from './list/RowMenu.tsx';
import { useFreshMail } from './list/use-fresh-mail.ts';
import { useListWindow } from './list/use-list-window.ts';
import { usePendingRows } from './list/use-pending-rows.ts';
import { useSelection } from './list/use-selection.ts';
import { MailPanes } from './MailPanes.tsx';
import { LazyReaderPane } from './reader/LazyReaderPane.tsx';
import { findInConversation } from './state/conversation-query.ts';
import { useMailDrops } from './state/drop-door.ts';
import { isMixed, queryOf } from './state/folders.ts';
import { concernedBy, leavesList, markOfDrop, placesOf, subjectOf } from './state/list-marks.ts';
import {
  effectOf,
  mailCommands,
  type Offer,
  offerOf,
  offerOfCommand,
  otherTitleOf,
  type Subject,
} from './state/mail-actions.ts';
import type { MailRowData } from './state/mail-cache.ts';
import { type Place, placeOf, placeOfFolder } from './state/mail-places.ts';
import type { Mark } from './state/marks.ts';
import { refreshMail } from './state/mutations.ts';
import { createOpening } from './state/opening.ts';
import { mailListKey, prefetchMail, useMailList, wholeMailQuery } from './state/queries.ts';
import { rowViewOf } from './state/row-view.ts';
import { canUndo, undoLast } from './state/undo.ts';
import { askFrom, type BulkJob, isPurge, useBulk } from './state/use-bulk.ts';
import { useMarkActions } from './state/use-mark-actions.ts';
import type { MailRowView } from './state/view-model.ts';
import { useMailAddress } from './use-mail-address.ts';

const noTags: readonly Tag[] = [];

const BulkQuestion = lazy(async () => ({
  default: (await loadChunk('bulk', () => import('./list/BulkQuestion.tsx'))).BulkQuestion,
}));
const RowMenu = lazy(async () => ({
  default: (await loadChunk('row-menu', () => import('./list/RowMenu.tsx'))).RowMenu,
}));
const OrganisePanel = lazy(async () => ({
  default: (await loadChunk('organise', () => import('./list/OrganisePanel.tsx'))).OrganisePanel,
}));

/** The mail view. */
export function MailScreen() {
  const address = useMailAddress();
  const { word, openId, filter, search, page } = address;
  const user = useUser();
  const cache = useQueryClient();
  const settings = usePreferences();
  const listHandle = useRef<VirtualListHandle>(null);
  const isNarrow = useMedia('(max-width: 1023px)');
  const isOnePane = isNarrow || settings.readingPane === 'off';
  const listName = `${word}/${filter}/${search}`;
  const fresh = useFreshMail(listName, () => listHandle.current?.isAtTop() ?? true);
  const list = useMailList(word, filter, search, page);
  const rows = useMemo(() => createListRows(list.data?.pages ?? []), [list.data]);
  const pending = usePendingRows();
  const tags = user?.tags ?? noTags;
  const viewOf = useCallback(
    (row: MailRowData): MailRowView => {
      const view = rowViewOf(row, tags, new Date(), search !== '' || isMixed(word));
      return pending.has(view.id) ? { ...view, activity: 'pending' } : view;
    },
    [tags, pending, search, word],
  );
  const selection = useSelection(rows, listName, list.data?.pages[0]?.count ?? 0);
  const listKey = mailListKey(word, filter, search, page);
  const listWindow = useListWindow(listKey, list.data?.pages.length ?? 0, selection.isNamed);
  const bulk = useBulk();
  const [panel, setPanel] = useState<PanelState | null>(null);
  const [menu, setMenu] = useState<RowMenuState | null>(null);

  const findRow = rows.find;
  const opened = useRef<MailRowData['mail']>(undefined);
  opened.current = findRow(openId)?.mail ?? opened.current;
  /** The open conversation's row: that of a later mail, when one has come to it since. */
  const rowId =
    opened.current?.id === openId && rows.indexOf(openId) < 0
      ? (rows.presentWhere(() => true).find(({ mail }) => mail.thread_id === opened.current?.thread_id)?.mail
          .id ?? openId)
      : openId;
  const neighbour = (id: string | null, step: 1 | -1): string | null => {
    const at = rows.indexOf(id);
    return rows.idAt(at >= 0 ? at + step : step === 1 ? 0 : rows.length - 1);
  };
  const openRow = (id: string) => {
    const row = findRow(id);
    if (row?.mail.draft)
      void cache
        .fetchQuery({ ...wholeMailQuery(id), staleTime: 0 })
        .then(({ mail, content }) => openDraft(mail, content));
    else address.open(id);
  };
  /** Where the keyboard goes on when the row it was on has left. */
  const goOnAt = useRef<number | null>(null);
  /** Rows that were taken back and are not shown yet. */
  const undone = useRef<readonly string[]>([]);
  const onUndone = useCallback((ids: readonly string[]) => {
    undone.current = ids;
  }, []);
  const { mark, markConversations } = useMarkActions(onUndone);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each list that comes
  useEffect(() => {
    if (goOnAt.current !== null && rows.length > 0)
      listHandle.current?.focusRow(Math.min(goOnAt.current, rows.length - 1));
    goOnAt.current = null;
    const back = undone.current.filter(id => rows.indexOf(id) >= 0);
    if (back.length === 0) return;
    undone.current = [];
    const [only] = back;
    if (back.length > 1 || only === undefined) selection.checkThese(back);
    else {
      listHandle.current?.focusRow(rows.indexOf(only));
      if (openId !== null && !isOnePane && !findRow(only)?.mail.draft) address.open(only, true);
    }
  }, [rows]);
  const markNow = (chosenRows: readonly MailRowData[], change: Mark) => {
    const going = chosenRows.filter(row => leavesList(search === '' ? word : 'all', row, change));
    const goingIds = new Set(going.map(({ mail }) => mail.id));
    if (openId !== null && (goingIds.has(openId) || goingIds.has(rowId ?? ''))) {
      const stays = (id: string) => !goingIds.has(id);
      const next = rows.walk(rows.indexOf(rowId) + 1, 1, stays) ?? rows.walk(rows.length - 1, -1, stays);
      const goesBack = isOnePane || settings.afterAction === 'list' || findRow(next)?.mail.draft;
      address.open(goesBack ? null : next, true);
    }
    if (going.length > 0 && focusedRow() >= 0) goOnAt.current = focusedRow();
    void markConversations(chosenRows, change);
  };
  const { threading: _threading, ...mailQuery } = queryOf(word, filter);
  /** A change of these rows, or with null of the whole list but for the conversations of `leftOut`. */
  const jobOf = (
    chosenRows: readonly MailRowData[] | null,
    change: Mark,
    leftOut: readonly MailRowData[] = [],
  ): BulkJob => ({
    mark: change,
    count: chosenRows?.length ?? selection.count,
    rows: chosenRows,
    query: mailQuery,
    leftOut: new Set(leftOut.map(({ mail }) => mail.thread_id)),
  });
  const runJob = (job: BulkJob) => {
    if (job.rows === null || job.rows.length > askFrom) bulk.run(job);
    else {
      bulk.cancel();
      markNow(job.rows, job.mark);
    }
    selection.clear();
  };
  const startJob = (job: BulkJob) => {
    if (isPurge(job) || job.count > askFrom) bulk.ask(job);
    else runJob(job);
  };
  const markRows = (chosenRows: readonly MailRowData[], change: Mark) => {
    const job = jobOf(concernedBy(change, chosenRows), change);
    if (job.count === 0) return;
    if (isPurge(job)) bulk.ask(job);
    else markNow(job.rows ?? [], change);
  };
  const checkedRows = () => rows.presentWhere(id => selection.checked.has(id));
  /** Changes what is selected, once the rows that the selection names are there. */
  const markSelection = (change: Mark) => {
    const named = new Set(selection.isWhole ? selection.unchecked : selection.checked);
    const namedRows = rows.presentWhere(id => named.has(id));
    const start = (known: readonly MailRowData[]) =>
      startJob(selection.isWhole ? jobOf(null, change, known) : jobOf(concernedBy(change, known), change));
    if (namedRows.length === named.size) start(namedRows);
    else
      listWindow
        .bringBack(named)
        .then(start, error => showToast({ tone: 'danger', text: callErrorText(error) }));
  };

  const [opening] = useState(createOpening);
  useLayoutEffect(() => opening.arrived(rowId), [opening, rowId]);
  const openNow = () => opening.current(rowId);
  /** The mail that keys are about: the open one, else the one whose row has the keyboard. */
  const cursor = (): string | null => openNow() ?? rows.idAt(focusedRow());
  const hasSelection = selection.count > 0;
  /** The open conversation may stand in no list: a link led to it, or the filter has let go of it. */
  const chosen = (): readonly MailRowData[] =>
    hasSelection
      ? checkedRows()
      : [findRow(cursor()) ?? findInConversation(cache, openNow())].flatMap(row => row ?? []);
  const selectedPlaces = (): readonly Place[] =>
    selection.isWhole ? [placeOfFolder(word)] : placesOf(checkedRows());
  /** What keys are about. Both ways to mark are there; the star is the first one's. */
  const chosenSubject = (): Subject => {
    const [first] = chosen();
    return {
      where: hasSelection ? selectedPlaces() : placesOf(chosen()),
      ...(first === undefined ? {} : { starred: first.mail.starred }),
    };
  };
  const openPanel = (kind: PanelState['kind'], anchor: Element | null = anchorOf(kind)) => {
    const about = chosen().filter(({ mail }) => effectOf(kind, placeOf(mail)) !== null);
    if (about.length > 0) setPanel({ kind, anchor, rows: about, isSelection: hasSelection });
  };
  const actSelection = (offer: Offer, anchor?: Element) => {
    if (offer.panel !== null) openPanel(offer.panel, anchor);
    else markSelection(offer.mark);
  };
  const actOn = (row: MailRowData | undefined, offer: Offer, anchor: Element | null) => {
    if (row === undefined) return;
    if (offer.panel !== null) {
      setPanel({ kind: offer.panel, anchor, rows: [row], isSelection: false });
      return;
    }
    markRows([row], offer.mark);
    // What is open is read.
    if (offer.effect === 'unread' && (row.mail.id === openId || row.mail.id === rowId)) address.open(null);
  };
  const actChosen = (offer: Offer) => {
    if (hasSelection) actSelection(offer);
    else actOn(chosen()[0], offer, offer.panel && anchorOf(offer.panel));
  };
  const openMenu = (id: string | null, point?: RowMenuState['point']) => {
    const row = findRow(id);
    if (row === undefined) return;
    const isSelection = selection.checked.has(row.mail.id);
    const subject = isSelection ? { where: selectedPlaces() } : subjectOf(row);
    setMenu({ id: row.mail.id, point, isSelection, subject, isOpen: true });
  };
  const actMenu: OnAct = (offer, anchor) => {
    if (menu === null) return;
    // From here the keyboard goes on.
    listHandle.current?.focusRow(rows.indexOf(menu.id));
    if (menu.isSelection) actSelection(offer, anchor);
    else actOn(findRow(menu.id), offer, anchor);
  };
  useMailDrops((ids, target) => {
    const isSelection = ids.some(id => selection.checked.has(id));
    const dropped = isSelection ? checkedRows() : ids.flatMap(id => findRow(id) ?? []);
    const change = markOfDrop(isSelection ? selectedPlaces() : placesOf(dropped), target);
    if (change === null) return;
    if (isSelection) markSelection(change);
    else markRows(dropped, change);
  });
  const latest = useRef({ address, findRow, openRow, actOn, openMenu, rows, selection });
  latest.current = { address, findRow, openRow, actOn, openMenu, rows, selection };
  const actions = useMemo((): MailRowActions => {
    const now = () => latest.current;
    const row = (id: string) => now().findRow(id);
    return {
      hrefOf: id => now().address.hrefOf(id),
      onOpen: id => now().openRow(id),
      onCheck: selection.check,
      onAct: (id, action, anchor) => {
        const one = row(id);
        const offer = one === undefined ? null : offerOf(action, subjectOf(one));
        if (offer !== null) now().actOn(one, offer, anchor);
      },
      onMenu: (id, point) => now().openMenu(id, point),
      dragged: id => {
        const { checked } = now().selection;
        return checked.has(id) ? now().rows.idsWhere(one => checked.has(one)) : [id];
      },
    };
  }, [selection.check]);

  useEffect(() => {
    const next = rowId === null ? null : rows.idAt(rows.indexOf(rowId) + 1);
    if (next !== null && !findRow(next)?.mail.draft) void prefetchMail(cache, next);
  });

  const leaveMissing = () => {
    showToast({ tone: 'danger', text: t('This message is not here any more') });
    // "All mail" is where links from outside lead (paths.ts); people who come by one go on in the inbox.
    if (word === 'all') void address.navigate(inboxPath, { replace: true });
    else address.open(null, true);
  };
  const move = (step: 1 | -1) => () => {
    const next = neighbour(cursor(), step);
    if (next === null) return;
    listHandle.current?.focusRow(rows.indexOf(next));
    // A draft would open a window at every step.
    if (findRow(next)?.mail.draft) return;
    opening.ask(next);
    openRow(next);
  };
  const checkAt = (id: string | null, mode: CheckMode) => id !== null && selection.check(id, mode);
  const openAt = (id: string | null) => id !== null && openRow(id);
  useCommands([
    { id: 'next', run: move(1) },
    { id: 'previous', run: move(-1) },
    {
      id: 'open',
      run: () => openAt(cursor()),
      isEnabled: () => openNow() === null && focusedRow() >= 0,
    },
    {
      id: 'back',
      run: () => (hasSelection ? selection.clear() : address.open(null)),
      isEnabled: () => hasSelection || openNow() !== null,
    },
    { id: 'check', run: () => checkAt(cursor(), 'one'), isEnabled: () => cursor() !== null },
    { id: 'checkRange', run: () => checkAt(cursor(), 'range'), isEnabled: () => cursor() !== null },
    // In the reader Ctrl a is the browser's: it takes the text.
    {
      id: 'checkAll',
      run: selection.checkAll,
      isEnabled: () => openNow() === null || focusedRow() >= 0,
    },
    { id: 'checkNone', run: selection.clear, isEnabled: () => hasSelection },
    ...mailCommands.map((id): KnownCommand => {
      const offer = () => offerOfCommand(id, chosenSubject());
      return {
        id,
        run: () => {
          const now = offer();
          if (now !== null) actChosen(now);
        },
        isEnabled: () => offer() !== null,
        otherTitle: () => otherTitleOf(id, offer()),
      };
    }),
    { id: 'menu', run: () => openMenu(rows.idAt(focusedRow())), isEnabled: () => focusedRow() >= 0 },
    { id: 'undo', run: undoLast, isEnabled: canUndo },
  ]);

  return (
    <>
      <MailPanes
        isReading={openId !== null}
        hasReadingPane={settings.readingPane === 'on'}
        list={
          <ListPane
            ref={listHandle}
            word={word}
            filter={filter}
            search={search}
            page={page}
            list={list}
            rows={rows}
            onRangeShown={listWindow.onRangeShown}
            viewOf={viewOf}
            density={settings.readingPane === 'off' && !isNarrow ? 'line' : settings.density}
            selection={selection}
            openId={rowId}
            actions={actions}
            onFilterChange={address.setFilter}
            onShowAll={address.showAll}
            onRefresh={() => refreshMail(cache)}
            selectedPlaces={selectedPlaces}
            onActSelection={actSelection}
            onPurgeAll={() =>
              bulk.ask({
                ...jobOf(null, { kind: 'delete' }),
                count: list.data?.pages[0]?.count ?? 0,
              })
            }
            fresh={{
              ...fresh,
              show: () => {
                listHandle.current?.scrollToTop();
                fresh.show();
              },
            }}
          />
        }
        reader={
          <LazyReaderPane
            mailId={openId}
            hasBack={isOnePane}
            onBack={() => address.open(null)}
            onMissing={leaveMissing}
            onMark={(ids, change) => void mark(ids, change)}
            onAct={actOn}
          />
        }
      />
      {menu !== null && (
        <Suspense>
          <RowMenu
            menu={menu}
            onAct={actMenu}
            onClose={() => setMenu(now => now && { ...now, isOpen: false })}
          />
        </Suspense>
      )}
      {panel !== null && (
        <Suspense>
          <OrganisePanel
            panel={panel}
            onMark={change => (panel.isSelection ? markSelection(change) : markRows(panel.rows, change))}
            onClose={() => setPanel(null)}
          />
        </Suspense>
      )}
      {bulk.question !== null && (
        <Suspense>
          <BulkQuestion
            job={bulk.question}
            areDrafts={word === 'drafts' || (bulk.question.rows?.every(({ mail }) => mail.draft) ?? false)}
            onCancel={bulk.cancel}
            onConfirm={() => bulk.question !== null && runJob(bulk.question)}
          />
        </Suspense>
      )}
    </>
  );
}
