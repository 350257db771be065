// The list of the mail screen, connected: its rows, what is checked, what stands in its place when there is nothing.
import { Inbox, SearchX } from 'lucide-react';
import { type Ref, useMemo, useState } from 'react';
import { formatCount } from '../../lib/words.ts';
import { callErrorText } from '../../session/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { LiveRegion } from '../../ui/LiveRegion.tsx';
import type { VirtualListHandle } from '../../ui/VirtualList.tsx';
import { BulkBar } from './BulkBar.tsx';
import { emptyWords } from './empty-words.ts';
import { findFolder, labelOf, nounOf } from './folders.ts';
import { ListHeader } from './ListHeader.tsx';
import { MailList } from './MailList.tsx';
import type { MailRowActions } from './MailRow.tsx';
import type { MailRowData } from './mail-cache.ts';
import type { Mark } from './mutations.ts';
import type { useMailList } from './queries.ts';
import type { useSelection } from './use-selection.ts';
import type { ListFilter, MailRowView } from './view-model.ts';

export interface ListPaneProps {
  ref?: Ref<VirtualListHandle>;
  word: string;
  filter: ListFilter;
  search: string;
  list: ReturnType<typeof useMailList>;
  rows: readonly MailRowData[];
  views: readonly MailRowView[];
  selection: ReturnType<typeof useSelection>;
  openId: string | null;
  actions: MailRowActions;
  onFilterChange: (filter: ListFilter) => void;
  /** Takes filter and search away. */
  onShowAll: () => void;
  onMark: (rows: readonly MailRowData[], mark: Mark) => void;
  onRefresh: () => void;
  /** Said to screen readers: "2 new messages". */
  news: string;
}

function Instead({ word, filter, search, list, onShowAll }: ListPaneProps) {
  if (list.isError) {
    return (
      <ErrorState
        title={callErrorText(list.error)}
        text="Your mail is safe. It will be here when the connection is back."
        busy={list.isFetching}
        onRetry={() => void list.refetch()}
      />
    );
  }
  if (search !== '' || filter !== 'all') {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No mail matches"
        text={
          search === '' ? 'Nothing here passes this filter.' : 'No name or address in this folder matches.'
        }
        action={
          <Button variant="outline" onClick={onShowAll}>
            Clear filters
          </Button>
        }
      />
    );
  }
  const { title, text } = emptyWords(findFolder(word));
  return <EmptyState icon={<Inbox />} title={title} text={text} />;
}

/** The pane in the middle. */
export function ListPane(props: ListPaneProps) {
  const {
    ref,
    word,
    filter,
    list,
    rows,
    views,
    selection,
    openId,
    actions,
    onFilterChange,
    onMark,
    onRefresh,
    news,
  } = props;
  const [activeIndex, setActiveIndex] = useState(0);
  // The tab stop follows what is opened, by whatever way.
  const openIndex = rows.findIndex(({ mail }) => mail.id === openId);
  const [followed, setFollowed] = useState(-1);
  if (openIndex !== followed) {
    setFollowed(openIndex);
    if (openIndex >= 0) setActiveIndex(openIndex);
  }
  const { checked, checkAll, clear } = selection;
  const total = list.data?.pages[0]?.count ?? null;
  const checkedRows = useMemo(() => rows.filter(({ mail }) => checked.has(mail.id)), [rows, checked]);
  const apply = (mark: Mark) => () => {
    onMark(checkedRows, mark);
    clear();
  };
  const isLoading = list.isPending;
  const header =
    checked.size > 0 ? (
      <BulkBar
        count={checked.size}
        isAll={checked.size === rows.length}
        onClear={clear}
        actions={{
          onArchive: apply({ kind: 'archive', value: true }),
          onDelete: apply({ kind: 'delete' }),
          onMarkRead: apply({ kind: 'read', value: true }),
          onMarkUnread: apply({ kind: 'read', value: false }),
          onStar: apply({ kind: 'star', value: true }),
          onRestore: word === 'deleted' ? apply({ kind: 'restore' }) : undefined,
        }}
      />
    ) : (
      <ListHeader
        title={labelOf(word)}
        noun={nounOf(word)}
        total={total}
        filter={filter}
        onFilterChange={onFilterChange}
        isRefreshing={list.isFetching && !isLoading}
        onRefresh={onRefresh}
        onCheckAll={rows.length === 0 ? undefined : checkAll}
      />
    );
  const pane = (
    <MailList
      {...(ref === undefined ? {} : { ref })}
      title={labelOf(word)}
      header={header}
      rows={views}
      total={total ?? views.length}
      state={isLoading ? 'loading' : views.length === 0 ? 'replaced' : 'ready'}
      instead={<Instead {...props} />}
      isRefreshing={list.isFetching}
      density="comfortable"
      openId={openId}
      checkedIds={checked}
      activeIndex={Math.min(activeIndex, Math.max(0, views.length - 1))}
      onActiveChange={setActiveIndex}
      onEndReached={() => {
        if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
      }}
      actions={actions}
    />
  );
  return (
    <>
      {pane}
      <LiveRegion text={news} />
      <LiveRegion text={checked.size > 0 ? `${formatCount(checked.size)} selected` : ''} />
    </>
  );
}
