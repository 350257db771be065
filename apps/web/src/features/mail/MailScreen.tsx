// The mail view `/app/inbox/{tag}/{index}`: list and reader. The page number and the open mail are in the address
// (readings 44), so that a reload and the back button keep them.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { useMedia } from '../../lib/media.ts';
import { inboxPath, mailPath, recieved } from '../../paths.ts';
import { useUser } from '../../session/current-user.ts';
import { newEmailsReceived } from '../../session/polling.ts';
import { showToast } from '../../ui/toasts.ts';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { openComposer, openDraft } from '../compose/composers.ts';
import { LazyReaderPane } from './LazyReaderPane.tsx';
import { ListPane } from './ListPane.tsx';
import { MailPanes } from './MailPanes.tsx';
import type { MailRowActions } from './MailRow.tsx';
import type { MailRowData } from './mail-cache.ts';
import { type Mark, refreshMail } from './mutations.ts';
import { prefetchMail, useMailList, wholeMailQuery } from './queries.ts';
import { toRowView } from './row-view.ts';
import { useMarkActions } from './use-mark-actions.ts';
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
    clearSearch: () => change('q', null),
    navigate,
  };
}

/** Asks for lists and counts again when new mail is announced. */
function useFreshMail(): void {
  const cache = useQueryClient();
  useEffect(() => {
    const refresh = () => void refreshMail(cache);
    addEventListener(newEmailsReceived, refresh);
    return () => removeEventListener(newEmailsReceived, refresh);
  }, [cache]);
}

/** The mail view. */
export function MailScreen() {
  const address = useMailAddress();
  const { word, openId, filter, search, page } = address;
  const user = useUser();
  const cache = useQueryClient();
  const listHandle = useRef<VirtualListHandle>(null);
  const isOnePane = useMedia('(max-width: 1023px)');
  useFreshMail();
  const list = useMailList(word, filter, search, page);
  const rows = useMemo(() => list.data?.pages.flatMap(one => one.rows) ?? [], [list.data]);
  const views = useMemo(() => rows.map(row => toRowView(row, user?.tags ?? [], new Date())), [rows, user]);
  const order = useMemo(() => rows.map(({ mail }) => mail.id), [rows]);
  const selection = useSelection(order);
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
  const markOne = (row: MailRowData | undefined, change: Mark) => {
    if (row === undefined) return;
    if (row.mail.id === openId && leaves(row, change)) {
      address.open(isOnePane ? null : (neighbour(openId, 1) ?? neighbour(openId, -1)), true);
    }
    void markConversations([row], change);
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

  const chosen =
    selection.checked.size > 0
      ? rows.filter(({ mail }) => selection.checked.has(mail.id))
      : [findRow(openId)].flatMap(row => row ?? []);
  const onChosen = (change: Mark) => () => {
    const [only] = chosen;
    if (selection.checked.size === 0) return markOne(only, change);
    void markConversations(chosen, change);
    selection.clear();
  };
  const leaveMissing = () => {
    showToast({ tone: 'danger', text: 'This message is not here any more' });
    // "All mail" is where links from outside lead (paths.ts); people who come by one go on in the inbox.
    if (word === 'all') void address.navigate(inboxPath, { replace: true });
    else address.open(null, true);
  };
  const move = (step: 1 | -1) => () => {
    const next = neighbour(openId, step);
    if (next !== null) openRow(next);
  };
  useShortcuts({
    j: move(1),
    k: move(-1),
    u: () => address.open(null),
    Escape: () => (selection.checked.size > 0 ? selection.clear() : address.open(null)),
    e: onChosen({ kind: 'archive', value: word !== 'archived' }),
    '#': onChosen({ kind: 'delete' }),
    Delete: onChosen({ kind: 'delete' }),
    s: () =>
      chosen.length > 0 &&
      void mark(
        chosen.map(({ mail }) => mail.id),
        { kind: 'star', value: !chosen[0]?.mail.starred },
      ),
    x: () => openId !== null && selection.check(openId, 'one'),
    'Shift+I': () =>
      chosen.length > 0 &&
      void mark(
        chosen.map(({ mail }) => mail.id),
        { kind: 'read', value: true },
      ),
    'Shift+U': () =>
      chosen.length > 0 &&
      void mark(
        chosen.map(({ mail }) => mail.id),
        { kind: 'read', value: false },
      ),
    c: () => openComposer(),
  });

  return (
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
          onClearSearch={address.clearSearch}
          onRefresh={() => void refreshMail(cache)}
          onMark={(chosenRows, change) => void markConversations(chosenRows, change)}
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
}
