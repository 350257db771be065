// The list pane: header, optional strip, and the rows or their placeholder. Presentation only: the
// screen decides which rows to show and what keys do beyond moving.
import { ArrowUp } from 'lucide-react';
import { type ReactNode, type Ref, useCallback, useMemo } from 'react';
import { t } from '../../../lib/language.ts';
import { useLow, usePhone } from '../../../lib/media.ts';
import { dayText } from '../../../lib/time-zone.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { VirtualList, type VirtualListHandle } from '../../../ui/VirtualList.tsx';
import { idOf, isPresent, type ListRow, type MailRowData } from '../state/mail-cache.ts';
import type { Density, MailRowView } from '../state/view-model.ts';
import { useListGestures } from './gestures/use-list-gestures.ts';
import { ListSkeleton } from './ListSkeleton.tsx';
import type { ListRows } from './list-rows.ts';
import { MailRow, type MailRowActions, rowHeights, rowLook } from './MailRow.tsx';
import { newsText } from './use-fresh-mail.ts';

/** Has the height of the row that it stands in for. */
function RowSkeleton({ density }: { density: Density }) {
  return (
    <div
      role="img"
      aria-label={t('Loading messages')}
      className={`flex items-center gap-3 border-b border-line px-5 ${rowLook[density]}`}
    >
      {density !== 'line' && <Skeleton className="size-8 shrink-0 rounded-full" />}
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <Skeleton className="h-3 w-32" />
        {density !== 'line' && <Skeleton className="h-3 w-8/12" />}
      </div>
    </div>
  );
}

export type MailListProps = {
  ref?: Ref<VirtualListHandle>;
  /** Name of the folder or tag. */
  title: string;
  /** ListHeader or BulkBar. */
  header: ReactNode;
  /** "Select all 2,400 in Inbox", "Deleted messages are kept for 30 days.", "3 new messages". */
  strip?: ReactNode;
  /** Number of new messages held back above a scrolled list. */
  waiting: number;
  onShowWaiting: () => void;
  /** Called when the user pulls the list down on a touch screen. */
  onRefresh: () => Promise<unknown>;
  rows: ListRows;
  /** Returns the view data of a row; called for visible rows only. */
  viewOf: (row: MailRowData) => MailRowView;
  /** Number of conversations in the whole list, loaded or not. */
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
  onRangeShown?: (first: number, end: number) => void;
  actions: MailRowActions;
  /** Shown below the rows. */
  footer?: ReactNode;
};

export function MailList(props: MailListProps) {
  const {
    ref,
    title,
    header,
    strip,
    rows,
    viewOf,
    total,
    state,
    instead,
    isRefreshing = false,
    openId,
    checkedIds,
    actions,
  } = props;
  const isPhone = usePhone();
  const isLow = useLow();
  const density = isLow ? 'compact' : isPhone ? 'comfortable' : props.density;
  const section = useListGestures(actions, props.onRefresh);
  const today = dayText(new Date());
  // List dates depend on the current day only, not on the time of day.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another now.
  const now = useMemo(() => new Date(), [today]);
  const renderRow = useCallback(
    (row: ListRow, _: number, isActive: boolean) =>
      isPresent(row) ? (
        <MailRow
          row={viewOf(row)}
          density={density}
          isOpen={row.mail.id === openId}
          isChecked={checkedIds.has(row.mail.id)}
          isActive={isActive}
          now={now}
          actions={actions}
        />
      ) : (
        <RowSkeleton density={density} />
      ),
    [viewOf, density, openId, checkedIds, now, actions],
  );
  return (
    <section
      ref={section}
      aria-label={title}
      data-selecting={checkedIds.size > 0 || undefined}
      className="group/list relative flex h-full min-h-0 flex-col bg-surface"
    >
      {header}
      {strip}
      {props.waiting > 0 && (
        <div className="relative z-10 h-0">
          <button
            type="button"
            onClick={props.onShowWaiting}
            className="absolute start-1/2 top-2 flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full bg-fill px-3.5 text-control font-semibold whitespace-nowrap text-on-fill shadow-mid hover:bg-fill-hover rtl:translate-x-1/2 pointer-coarse:h-10"
          >
            <ArrowUp aria-hidden size={15} />
            {newsText(props.waiting)}
          </button>
        </div>
      )}
      {/* When there are no rows, the skip link leads to their placeholder. */}
      {state !== 'ready' && (
        <div
          id="list"
          tabIndex={-1}
          className="min-h-0 flex-1 overflow-auto -outline-offset-2 max-pane:not-short:pb-20"
        >
          {state === 'loading' ? <ListSkeleton /> : instead}
        </div>
      )}
      {state === 'ready' && (
        <VirtualList
          {...(ref === undefined ? {} : { ref })}
          id="list"
          label={t('Messages')}
          items={rows}
          total={total}
          keyOf={idOf}
          rowHeightPx={rowHeights[density]}
          // Lets the last row scroll clear of the compose button.
          listClassName="max-pane:mb-20 max-pane:short:mb-16"
          activeIndex={props.activeIndex}
          onActiveChange={props.onActiveChange}
          onEndReached={props.onEndReached}
          onRangeShown={props.onRangeShown}
          renderRow={renderRow}
          busy={isRefreshing}
        />
      )}
      {props.footer}
    </section>
  );
}
