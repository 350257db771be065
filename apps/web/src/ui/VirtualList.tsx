// A long list of equal rows of which only the visible ones exist. One row is the tab stop; arrows, Home, End and Page keys
// move it, and it is scrolled into view before it gets the focus. The active row's main control carries `data-row-focus`.
// Positions are written through the CSSOM: no style attribute ever stands in markup.
import { useVirtualizer } from '@tanstack/react-virtual';
import type { Ref } from 'react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import { cn } from '../lib/class-names.ts';

const overscanRows = 6;

export interface VirtualListHandle {
  /** Scrolls to a row and puts the focus on it. */
  focusRow(index: number): void;
  scrollToTop(): void;
  isAtTop(): boolean;
}

interface VirtualListProps<Item> {
  ref?: Ref<VirtualListHandle>;
  id?: string;
  label: string;
  items: readonly Item[];
  /** Rows of the whole list, loaded or not; what "4 of 2,400" counts. */
  total: number;
  keyOf: (item: Item) => string;
  rowHeightPx: number;
  activeIndex: number;
  onActiveChange: (index: number) => void;
  /** The last loaded rows came into view. */
  onEndReached?: (() => void) | undefined;
  renderRow: (item: Item, index: number, isActive: boolean) => ReactNode;
  rowClassName?: string;
  busy?: boolean;
}

const moves: Record<string, (index: number, last: number, page: number) => number> = {
  ArrowDown: index => index + 1,
  ArrowUp: index => index - 1,
  PageDown: (index, _, page) => index + page,
  PageUp: (index, _, page) => index - page,
  Home: () => 0,
  End: (_, last) => last,
};

function PlainVirtualList<Item>(props: VirtualListProps<Item>) {
  const {
    ref,
    id,
    label,
    items,
    total,
    keyOf,
    rowHeightPx,
    activeIndex,
    onActiveChange,
    onEndReached,
    renderRow,
    rowClassName,
    busy,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    getItemKey: index => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    overscan: overscanRows,
    directDomUpdates: true,
    initialRect: { width: 400, height: 800 },
  });
  useEffect(() => {
    if (rowHeightPx > 0) virtualizer.measure();
  }, [rowHeightPx, virtualizer]);

  const focusRow = useCallback(
    (index: number) => {
      virtualizer.scrollToIndex(index, { align: 'auto' });
      // The row may only exist after the scroll was painted.
      requestAnimationFrame(() => {
        const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-focus]`);
        row?.focus({ preventScroll: true });
      });
    },
    [virtualizer],
  );
  useImperativeHandle(
    ref,
    () => ({
      focusRow,
      scrollToTop: () => virtualizer.scrollToOffset(0),
      isAtTop: () => (virtualizer.scrollOffset ?? 0) < rowHeightPx,
    }),
    [focusRow, virtualizer, rowHeightPx],
  );

  const visible = virtualizer.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? -1;
  const isAtEnd = items.length > 0 && lastVisible >= items.length - 1 && items.length < total;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, onEndReached]);

  const key = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (move === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeightPx) / rowHeightPx) - 1);
    const last = items.length - 1;
    const next = Math.min(last, Math.max(0, move(activeIndex, last, page)));
    event.preventDefault();
    if (next === activeIndex || last < 0) return;
    onActiveChange(next);
    focusRow(next);
  };

  return (
    <div
      ref={scroller}
      id={id}
      tabIndex={-1}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain outline-none [contain:strict]"
    >
      <ul
        ref={virtualizer.containerRef}
        aria-label={label}
        aria-busy={busy || undefined}
        onKeyDown={key}
        className="relative w-full"
      >
        {visible.map(({ index, key: itemKey }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <li
              key={itemKey}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              className={cn('absolute start-0 top-0 w-full', rowClassName)}
            >
              {renderRow(item, index, index === activeIndex)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The list; memoised, so its parent may render often. */
export const VirtualList = memo(PlainVirtualList) as typeof PlainVirtualList;
