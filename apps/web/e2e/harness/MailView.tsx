// The mail screen of the harness: the product's components with sample data and local state.
import { Inbox } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { BulkBar } from '../../src/features/mail/list/BulkBar.tsx';
import { ListHeader } from '../../src/features/mail/list/ListHeader.tsx';
import { createListRows } from '../../src/features/mail/list/list-rows.ts';
import { MailList } from '../../src/features/mail/list/MailList.tsx';
import type { MailRowActions } from '../../src/features/mail/list/MailRow.tsx';
import { SelectAllBar } from '../../src/features/mail/list/SelectAllBar.tsx';
import { MailPanes } from '../../src/features/mail/MailPanes.tsx';
import { Reader } from '../../src/features/mail/reader/Reader.tsx';
import { ReaderEmpty } from '../../src/features/mail/reader/ReaderEmpty.tsx';
import type { MailRowData } from '../../src/features/mail/state/mail-cache.ts';
import type { Density, ListFilter, MailRowView } from '../../src/features/mail/state/view-model.ts';
import { BottomBar } from '../../src/features/shell/BottomBar.tsx';
import { SearchBar } from '../../src/features/shell/SearchBar.tsx';
import { Shell } from '../../src/features/shell/Shell.tsx';
import { TopBar } from '../../src/features/shell/TopBar.tsx';
import { useTheme } from '../../src/theme/theme-mode.ts';
import { Button } from '../../src/ui/Button.tsx';
import { EmptyState } from '../../src/ui/EmptyState.tsx';
import { ErrorState } from '../../src/ui/ErrorState.tsx';
import { showToast } from '../../src/ui/toasts.ts';
import type { VirtualListHandle } from '../../src/ui/VirtualList.tsx';
import { SampleComposer } from './SampleComposer.tsx';
import {
  failedConversation,
  SAMPLE_TOTAL,
  sampleConversation,
  sampleMessage,
  sampleRows,
  sampleTags,
} from './sample-mail.ts';

const query = new URLSearchParams(location.search);
const state = query.get('state');
function nothing() {}
const own = new Set(['mara@keyfold.test']);

export function MailView() {
  const theme = useTheme();
  const list = useRef<VirtualListHandle>(null);
  const [rows, setRows] = useState(sampleRows);
  // The list needs only the id of each message.
  const views = useMemo(() => new Map(rows.map(view => [view.id, view])), [rows]);
  const data = useMemo(() => rows.map(({ id }) => ({ mail: { id } }) as MailRowData), [rows]);
  const [openId, setOpenId] = useState<string | null>(
    query.has('failed') ? 'm4' : query.has('closed') ? null : 'm0',
  );
  const [isReading, setReading] = useState(query.has('read'));
  const [active, setActive] = useState(0);
  const [checked, setChecked] = useState<ReadonlySet<string>>(
    new Set(query.has('select') ? ['m1', 'm2', 'm3'] : []),
  );
  const [filter, setFilter] = useState<ListFilter>('all');
  const [drawer, setDrawer] = useState<'menu' | 'tags' | null>(query.has('drawer') ? 'menu' : null);
  const [isComposing, setComposing] = useState(query.has('compose'));
  const [openMessages, setOpenMessages] = useState<ReadonlySet<string>>(new Set(['c']));
  const [isDark, setDark] = useState(query.has('dark'));
  useEffect(() => {
    if (query.has('toast'))
      showToast({
        tone: 'success',
        text: 'Conversation archived',
        action: { label: 'Undo', onAct: nothing },
      });
    if (query.has('danger')) showToast({ tone: 'danger', text: 'Failed to connect to the server' });
  }, []);
  const actions = useMemo<MailRowActions>(
    () => ({
      hrefOf: id => `?m=${id}`,
      onOpen: id => {
        setOpenId(id);
        setReading(true);
      },
      onCheck: id =>
        setChecked(old => {
          const next = new Set(old);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      onAct: (id, action) =>
        setRows(old =>
          old.flatMap(row => {
            if (row.id !== id) return [row];
            if (action === 'star' || action === 'unstar') return [{ ...row, starred: !row.starred }];
            if (action === 'read' || action === 'unread') return [{ ...row, unread: !row.unread }];
            return action === 'snooze' ? [row] : [];
          }),
        ),
      onMenu: nothing,
      dragged: id => [id],
    }),
    [],
  );
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      if (event.key !== 'j' && event.key !== 'k') return;
      setActive(old => {
        const next = Math.max(0, old + (event.key === 'j' ? 1 : -1));
        list.current?.focusRow(next);
        return next;
      });
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  }, []);
  const base = openId === 'm4' ? failedConversation : sampleConversation;
  const conversation = query.has('letter')
    ? {
        ...base,
        messages: base.messages.map(item =>
          item.id === 'c'
            ? {
                ...item,
                body: {
                  kind: 'html' as const,
                  html: sampleMessage,
                  hasOwnColors: true,
                  recovered: false,
                  isForward: false,
                },
              }
            : item,
        ),
      }
    : base;
  const clear = () => setChecked(new Set());
  const header =
    checked.size > 0 ? (
      <BulkBar where={['other']} count={checked.size} isAll={false} onClear={clear} onAct={clear} />
    ) : (
      <ListHeader
        title="Inbox"
        badge={state === 'ready' ? '5 unread' : null}
        counted={state === 'loading' ? null : `${state === 'empty' ? 0 : SAMPLE_TOTAL} conversations`}
        filter={filter}
        onFilterChange={setFilter}
        isRefreshing={false}
        onRefresh={nothing}
        onCheckAll={() => setChecked(new Set(rows.slice(0, 50).map(row => row.id)))}
      />
    );
  const instead =
    state === 'error' ? (
      <ErrorState
        title="Failed to connect to the server"
        text="Your drafts are safe on this device. We try again in 12 seconds."
        retryLabel="Try again now"
        onRetry={nothing}
      />
    ) : (
      <EmptyState
        icon={<Inbox />}
        title="Your inbox is empty"
        text="New messages arrive by themselves. You can also bring your old mail along."
        action={<Button variant="outline">Import mail</Button>}
      />
    );
  return (
    <Shell
      sidebar={{
        current: 'recieved',
        counts: [
          { tag: 'recieved', count: 5, text: '5 unread' },
          { tag: 'drafts', count: 2, text: '2 drafts' },
          { tag: 'flagged', count: 1, text: '1 message' },
        ],
        tags: sampleTags,
        storage: { usedBytes: 2_040_109_466, totalBytes: 5_368_709_120 },
        onCompose: () => setComposing(true),
        onMoved: nothing,
      }}
      top={
        <TopBar
          search={
            <SearchBar
              text=""
              chips={
                query.has('chips')
                  ? [
                      { operator: 'from', value: 'ines' },
                      { operator: 'has', value: 'attachment' },
                    ]
                  : []
              }
              onTextChange={nothing}
              onRemoveChip={nothing}
              onSelectAll={nothing}
              onSubmit={nothing}
              onClear={nothing}
              onOpenPanel={nothing}
            />
          }
          account={{ name: 'Mara Keller', email: 'mara@keyfold.test' }}
          isOffline={state === 'offline'}
          waitingChanges={2}
          onOpenMenu={() => setDrawer('menu')}
          onNavigate={nothing}
          onSignOut={nothing}
        />
      }
      bottom={<BottomBar onNavigate={nothing} onSearch={nothing} onOpenTags={() => setDrawer('tags')} />}
      drawer={drawer}
      onCloseDrawer={() => setDrawer(null)}
      isReading={isReading}
      hasFab={!isComposing}
      overlay={isComposing && <SampleComposer onClose={() => setComposing(false)} />}
    >
      <MailPanes
        isReading={isReading}
        hasReadingPane={query.get('density') !== 'line'}
        list={
          <MailList
            ref={list}
            title="Inbox"
            header={header}
            strip={
              checked.size > 0 && (
                <SelectAllBar
                  checked={checked.size}
                  loaded={50}
                  total={SAMPLE_TOTAL}
                  count={checked.size}
                  folder="Inbox"
                  isWholeFolder={false}
                  onSelectWhole={nothing}
                />
              )
            }
            waiting={query.has('waiting') ? 3 : 0}
            onShowWaiting={nothing}
            onRefresh={async () => undefined}
            rows={createListRows([{ rows: data }])}
            viewOf={({ mail }) => views.get(mail.id) as MailRowView}
            total={rows.length}
            state={
              state === 'loading' ? 'loading' : state === 'empty' || state === 'error' ? 'replaced' : 'ready'
            }
            instead={instead}
            density={(query.get('density') as Density | null) ?? 'comfortable'}
            openId={openId}
            checkedIds={checked}
            activeIndex={active}
            onActiveChange={setActive}
            actions={actions}
          />
        }
        reader={
          openId === null || state === 'empty' || state === 'loading' ? (
            <ReaderEmpty />
          ) : (
            <Reader
              key={openId}
              conversation={conversation}
              openMessageIds={openMessages}
              theme={theme}
              ownAddresses={own}
              hasBack={isReading && innerWidth < 1024}
              packing={null}
              permissions={{
                allowsRemote: () => false,
                alwaysLoad: () => nothing,
                loadOnce: nothing,
                showsDark: () => isDark,
                showDark: (_message, value) => setDark(value),
              }}
              actions={{
                onBack: () => setReading(false),
                onAct: nothing,
                onPrint: () => print(),
                onViewHeaders: nothing,
                onViewSource: nothing,
                onDownloadRaw: nothing,
                onBlockSender: nothing,
              }}
              messageActions={{
                onToggle: id =>
                  setOpenMessages(old => {
                    const next = new Set(old);
                    if (!next.delete(id)) next.add(id);
                    return next;
                  }),
                onReply: nothing,
                onReplyAll: nothing,
                onForward: nothing,
                onViewHeaders: nothing,
                onViewSource: nothing,
                onDownloadRaw: nothing,
                onPrint: nothing,
                onDownloadAttachment: nothing,
                onPreviewAttachment: nothing,
                onSaveAllAttachments: nothing,
                onCompose: nothing,
              }}
              securityActions={{ onVerify: nothing, onRetryDecrypt: nothing }}
            />
          )
        }
      />
    </Shell>
  );
}
