// The list pane: its head, an optional strip, and the rows, or what stands in their place. Draws what it is given; which
// rows those are, and what the keys do beyond moving, is decided by the screen.
import { type ReactNode, type Ref, useCallback, useMemo } from 'react';
import { usePhone } from '../../lib/media.ts';
import { VirtualList, type VirtualListHandle } from '../../ui/VirtualList.tsx';
import { ListSkeleton } from './ListSkeleton.tsx';
import { MailRow, type MailRowActions, rowHeights } from './MailRow.tsx';
import type { Density, MailRowView } from './view-model.ts';

export interface MailListProps {
  ref?: Ref<VirtualListHandle>;
  /** The folder's or tag's name. */
  title: string;
  /** ListHeader or BulkBar. */
  header: ReactNode;
  /** "Select all 2,400 in Inbox", "Deleted mail is kept 30 days", "3 new messages". */
  strip?: ReactNode;
  rows: readonly MailRowView[];
  /** Conversations in the whole list, loaded or not. */
  total: number;
  /** `loading` shows the skeleton, `replaced` shows `instead`. */
  state: 'ready' | 'loading' | 'replaced';
  /** EmptyState or ErrorState. */
  instead?: ReactNode;
  isRefreshing?: boolean;
  density: Density;
  openId: string | null;
  checkedIds: ReadonlySet<string>;
  activeIndex: number;
  onActiveChange: (index: number) => void;
  onEndReached?: () => void;
  actions: MailRowActions;
}

/** The pane in the middle. */
export function MailList(props: MailListProps) {
  const {
    ref,
    title,
    header,
    strip,
    rows,
    total,
    state,
    instead,
    isRefreshing = false,
    openId,
    checkedIds,
    actions,
  } = props;
  const isPhone = usePhone();
  const density = isPhone ? 'comfortable' : props.density;
  const today = new Date().toDateString();
  const now = useMemo(() => new Date(`${today} 23:59:59`), [today]);
  const renderRow = useCallback(
    (row: MailRowView, _: number, isActive: boolean) => (
      <MailRow
        row={row}
        density={density}
        isOpen={row.id === openId}
        isChecked={checkedIds.has(row.id)}
        isActive={isActive}
        now={now}
        actions={actions}
      />
    ),
    [density, openId, checkedIds, now, actions],
  );
  return (
    <section
      aria-label={title}
      data-selecting={checkedIds.size > 0 || undefined}
      className="group/list relative flex h-full min-h-0 flex-col bg-surface"
    >
      {header}
      {strip}
      {state === 'loading' && <ListSkeleton />}
      {state === 'replaced' && <div className="min-h-0 flex-1 overflow-auto">{instead}</div>}
      {state === 'ready' && (
        <VirtualList
          {...(ref === undefined ? {} : { ref })}
          id="list"
          label="Messages"
          items={rows}
          total={total}
          keyOf={keyOf}
          rowHeightPx={rowHeights[density]}
          activeIndex={props.activeIndex}
          onActiveChange={props.onActiveChange}
          onEndReached={props.onEndReached}
          renderRow={renderRow}
          busy={isRefreshing}
        />
      )}
    </section>
  );
}

const keyOf = (row: MailRowView): string => row.id;
