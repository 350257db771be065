// The mail view `/app/inbox/{tag}/{index}`: list and reader. The page number and the open mail are in the address
// (readings 44), so that a reload and the back button keep them.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useMedia } from '../../lib/media.ts';
import { plural } from '../../lib/words.ts';
import { inboxPath, mailPath, recieved } from '../../paths.ts';
import { useUser } from '../../session/current-user.ts';
import { newEmailsReceived } from '../../session/polling.ts';
import { showToast } from '../../ui/toasts.ts';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { openComposer, openDraft } from '../compose/composers.ts';
import { LazyReaderPane } from './LazyReaderPane.tsx';
import { ListPane } from './ListPane.tsx';
import { MailPanes } from './MailPanes.tsx';
import type { CheckMode, MailRowActions } from './MailRow.tsx';
import type { MailRowData } from './mail-cache.ts';
import { type Mark, refreshMail } from './mutations.ts';
import { PurgeQuestion } from './PurgeQuestion.tsx';
import { prefetchMail, useMailList, wholeMailQuery } from './queries.ts';
import { toRowView } from './row-view.ts';
import { isGoneWhenDeleted, undoLast, useMarkActions } from './use-mark-actions.ts';
import { useSelection } from './use-selection.ts';
import { useShortcuts } from './use-shortcuts.ts';
import type { ListFilter } from './view-model.ts';

const filters: readonly string[] = ['all', 'unread', 'starred', 'attachment'];
const isFilter = (text: string | null): text is ListFilter => text !== null && filters.includes(text);

/** What the address says: folder or tag, page, open mail, filter, search; and the ways to change it. */
function useMailAddress() {
  const { tag = recieved, index = '0' } = useParams();
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const page = /^\d{1,6}$/.test(index) ? Number(index) : 0;
  const filter = query.get('f');
  const change = (name: string, value: string | null, replace = false) =>
    setQuery(
      before => {
        const next = new URLSearchParams(before);
        if (value === null || value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace },
    );
  return {
    word: tag,
    page,
    openId: query.get('m'),
    filter: isFilter(filter) ? filter : ('all' as const),
    search: query.get('q') ?? '',
    hrefOf: (id: string) => {
      const next = new URLSearchParams(query);
      next.set('m', id);
      return `${mailPath(tag, page)}?${next}`;
    },
    open: (id: string | null, replace = false) => change('m', id, replace),
    setFilter: (next: ListFilter) => change('f', next === 'all' ? null : next),
    /** Filter and search at once: two changes of the address in one go would undo each other. */
    showAll: () =>
      setQuery(before => {
        const next = new URLSearchParams(before);
        next.delete('q');
        next.delete('f');
        return next;
      }),
    navigate,
  };
}

/** Asks for lists and counts again when new mail is announced; gives the words that announce it. */
function useFreshMail(): string {
  const cache = useQueryClient();
  const [news, setNews] = useState('');
  useEffect(() => {
    const refresh = (event: Event) => {
      const count = event instanceof CustomEvent ? Number(event.detail?.count) : 0;
      if (count > 0) setNews(plural(count, 'new message'));
      void refreshMail(cache);
    };
    addEventListener(newEmailsReceived, refresh);
    return () => removeEventListener(newEmailsReceived, refresh);
  }, [cache]);
  return news;
}

/** The row that has the keyboard, by its place in the list; -1 for none. */
function focusedRow(): number {
  const row = document.activeElement?.closest<HTMLElement>('#list li[data-index]');
  return row === null || row === undefined ? -1 : Number(row.dataset.index);
}

/** The mail view. */
export function MailScreen() {
  const address = useMailAddress();
  const { word, openId, filter, search, page } = address;
  const user = useUser();
  const cache = useQueryClient();
  const listHandle = useRef<VirtualListHandle>(null);
  const isOnePane = useMedia('(max-width: 1023px)');
  const news = useFreshMail();
  const [purging, setPurging] = useState<readonly MailRowData[]>([]);
  const list = useMailList(word, filter, search, page);
  const rows = useMemo(() => list.data?.pages.flatMap(one => one.rows) ?? [], [list.data]);
  const views = useMemo(() => rows.map(row => toRowView(row, user?.tags ?? [], new Date())), [rows, user]);
  const order = useMemo(() => rows.map(({ mail }) => mail.id), [rows]);
  const selection = useSelection(order, `${word}/${filter}/${search}`);
  const { mark, markConversations } = useMarkActions();

  const findRow = (id: string | null): MailRowData | undefined => rows.find(({ mail }) => mail.id === id);
  const neighbour = (id: string | null, step: 1 | -1): string | null => {
    const at = order.indexOf(id ?? '');
    return (at < 0 ? (step === 1 ? order[0] : order.at(-1)) : order[at + step]) ?? null;
  };
  const openRow = (id: string) => {
    const row = findRow(id);
    if (row?.mail.draft)
      void cache
        .fetchQuery({ ...wholeMailQuery(id), staleTime: 0 })
        .then(({ mail, content }) => openDraft(mail, content));
    else address.open(id);
  };
  const leaves = ({ mail }: MailRowData, change: Mark): boolean =>
    change.kind === 'delete' ||
    change.kind === 'restore' ||
    (change.kind === 'archive' && (word === recieved || word === 'archived') && !mail.deleted);
  /** Where the keyboard goes on when the row it was on has left. */
  const goOnAt = useRef<number | null>(null);
  useEffect(() => {
    if (goOnAt.current !== null && order.length > 0)
      listHandle.current?.focusRow(Math.min(goOnAt.current, order.length - 1));
    goOnAt.current = null;
  }, [order]);
  const markNow = (chosenRows: readonly MailRowData[], change: Mark) => {
    const going = chosenRows.filter(row => leaves(row, change));
    const goingIds = new Set(going.map(({ mail }) => mail.id));
    if (openId !== null && goingIds.has(openId)) {
      const rest = order.filter((id, at) => !goingIds.has(id) && at > order.indexOf(openId));
      const next = rest[0] ?? order.findLast(id => !goingIds.has(id)) ?? null;
      address.open(isOnePane || findRow(next)?.mail.draft ? null : next, true);
    }
    if (going.length > 0 && focusedRow() >= 0) goOnAt.current = focusedRow();
    void markConversations(chosenRows, change);
  };
  const markRows = (chosenRows: readonly MailRowData[], change: Mark) => {
    if (change.kind === 'delete' && chosenRows.some(isGoneWhenDeleted)) setPurging(chosenRows);
    else markNow(chosenRows, change);
  };
  const markOne = (row: MailRowData | undefined, change: Mark) => {
    if (row !== undefined) markRows([row], change);
  };
  const latest = useRef({ address, findRow, openRow, markOne });
  latest.current = { address, findRow, openRow, markOne };
  const actions = useMemo((): MailRowActions => {
    const now = () => latest.current;
    const row = (id: string) => now().findRow(id);
    return {
      hrefOf: id => now().address.hrefOf(id),
      onOpen: id => now().openRow(id),
      onCheck: selection.check,
      onStar: id => void mark([id], { kind: 'star', value: !row(id)?.mail.starred }),
      onArchive: id => now().markOne(row(id), { kind: 'archive', value: !row(id)?.mail.archived }),
      onDelete: id => now().markOne(row(id), { kind: 'delete' }),
      onToggleRead: id => void mark([id], { kind: 'read', value: !row(id)?.mail.read }),
    };
  }, [mark, selection.check]);

  useEffect(() => {
    const next = order[order.indexOf(openId ?? '') + 1];
    if (openId !== null && next !== undefined && !findRow(next)?.mail.draft) void prefetchMail(cache, next);
  });

  /** The open mail, ahead of the address: keys come faster than pages change. */
  const opening = useRef(openId);
  useEffect(() => {
    opening.current = openId;
  }, [openId]);
  /** The mail that keys are about: the open one, else the one whose row has the keyboard. */
  const cursor = (): string | null => opening.current ?? order[focusedRow()] ?? null;
  const chosen = (): readonly MailRowData[] =>
    selection.checked.size > 0
      ? rows.filter(({ mail }) => selection.checked.has(mail.id))
      : [findRow(cursor())].flatMap(row => row ?? []);
  const onChosen = (change: Mark) => () => {
    markRows(chosen(), change);
    selection.clear();
  };
  const markChosen = (changeOf: (first: MailRowData) => Mark) => () => {
    const all = chosen();
    const ids = all.map(({ mail }) => mail.id);
    const [first] = all;
    if (first !== undefined) void mark(ids, changeOf(first));
  };
  const leaveMissing = () => {
    showToast({ tone: 'danger', text: 'This message is not here any more' });
    // "All mail" is where links from outside lead (paths.ts); people who come by one go on in the inbox.
    if (word === 'all') void address.navigate(inboxPath, { replace: true });
    else address.open(null, true);
  };
  const move = (step: 1 | -1) => () => {
    const next = neighbour(cursor(), step);
    if (next === null) return;
    listHandle.current?.focusRow(order.indexOf(next));
    // A draft would open a window at every step.
    if (findRow(next)?.mail.draft) return;
    opening.current = next;
    openRow(next);
  };
  const checkAt = (id: string | null, mode: CheckMode) => id !== null && selection.check(id, mode);
  const openAt = (id: string | null) => id !== null && openRow(id);
  useShortcuts({
    j: move(1),
    k: move(-1),
    u: () => address.open(null),
    Escape: () => (selection.checked.size > 0 ? selection.clear() : address.open(null)),
    e: onChosen({ kind: 'archive', value: word !== 'archived' }),
    '#': onChosen({ kind: 'delete' }),
    Delete: onChosen({ kind: 'delete' }),
    s: markChosen(({ mail }) => ({ kind: 'star', value: !mail.starred })),
    'Shift+I': markChosen(() => ({ kind: 'read', value: true })),
    'Shift+U': markChosen(() => ({ kind: 'read', value: false })),
    x: () => checkAt(cursor(), 'one'),
    'Shift+X': () => checkAt(cursor(), 'range'),
    o: () => openAt(cursor()),
    z: undoLast,
    c: () => openComposer(),
  });

  const panes = (
    <MailPanes
      isReading={openId !== null}
      hasReadingPane
      list={
        <ListPane
          ref={listHandle}
          word={word}
          filter={filter}
          search={search}
          list={list}
          rows={rows}
          views={views}
          selection={selection}
          openId={openId}
          actions={actions}
          onFilterChange={address.setFilter}
          onShowAll={address.showAll}
          onRefresh={() => void refreshMail(cache)}
          onMark={markRows}
          news={news}
        />
      }
      reader={
        <LazyReaderPane
          mailId={openId}
          hasBack={isOnePane}
          onBack={() => address.open(null)}
          onMissing={leaveMissing}
          onMark={(ids, change) => void mark(ids, change)}
          onMarkConversation={markOne}
        />
      }
    />
  );
  return (
    <>
      {panes}
      {purging.length > 0 && (
        <PurgeQuestion
          count={purging.length}
          areDrafts={purging.every(({ mail }) => mail.draft)}
          onCancel={() => setPurging([])}
          onConfirm={() => {
            setPurging([]);
            markNow(purging, { kind: 'delete' });
          }}
        />
      )}
    </>
  );
}
