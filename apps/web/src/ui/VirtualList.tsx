// A long list of equally high rows, of which only the visible ones exist, in recycled elements. One
// row is the tab stop; arrow keys, Home, End and the Page keys move it and scroll it into view
// before it gets the focus. The active row's main control has `data-row-focus`. Touch scrolling is
// vertical only: horizontal gestures belong to the rows and must not trigger the browser's back
// gesture. Positions are written through the CSSOM, so the markup never contains a style attribute.
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { cn } from '../lib/class-names.ts';
import { assignSlots, rowRangeAt, scrollToShow } from './virtual-rows.ts';

/** Height assumed for a window before it is measured. */
const FIRST_VIEW_PX = 800;

const noSlots: ReadonlyMap<string, number> = new Map();

export type VirtualListHandle = {
  /** Scrolls to a row and focuses it. */
  focusRow(index: number): void;
  scrollToTop(): void;
  isAtTop(): boolean;
};

type VirtualListProps<Item> = {
  ref?: Ref<VirtualListHandle>;
  id?: string;
  label: string;
  /** The loaded items: an array or an object with the same two members. */
  items: { readonly length: number; slice(first: number, end: number): readonly Item[] };
  /** Number of rows of the whole list, loaded or not; the total shown in "4 of 2,400". */
  total: number;
  keyOf: (item: Item) => string;
  rowHeightPx: number;
  activeIndex: number;
  onActiveChange: (index: number) => void;
  /** Called when the last loaded rows come into view. */
  onEndReached?: (() => void) | undefined;
  /** Called when the rows from `first` (inclusive) to `end` (exclusive) exist. */
  onRangeShown?: ((first: number, end: number) => void) | undefined;
  renderRow: (item: Item, index: number, isActive: boolean) => ReactNode;
  rowClassName?: string;
  /** Adds space after the last row, where an element floats over the page. */
  listClassName?: string;
  busy?: boolean;
};

const moves: Record<string, (index: number, last: number, page: number) => number> = {
  ArrowDown: index => index + 1,
  ArrowUp: index => index - 1,
  PageDown: (index, _, page) => index + page,
  PageUp: (index, _, page) => index - page,
  Home: () => 0,
  End: (_, last) => last,
};

type RowWindowProps<Item> = Pick<VirtualListProps<Item>, 'items' | 'keyOf' | 'rowHeightPx'>;

/** Manages which rows exist, in which elements, and the updates on scrolling. */
function useRowWindow<Item>({ items, keyOf, rowHeightPx }: RowWindowProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRef<HTMLUListElement>(null);
  const [view, setView] = useState({ scrollPx: 0, viewPx: FIRST_VIEW_PX, rowPx: rowHeightPx });
  const count = items.length;
  const range = rowRangeAt(view.scrollPx, view.viewPx, view.rowPx, count);
  const shown = items.slice(range.first, range.end);
  const slots = useRef<ReadonlyMap<string, number>>(noSlots);
  slots.current = assignSlots(slots.current, shown.map(keyOf));
  const latest = useRef({ view, count, range });
  latest.current = { view, count, range };

  // Rows grow with the text size; the first row is measured for it.
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => {
      const rowPx = rows.current?.firstElementChild?.getBoundingClientRect().height || rowHeightPx;
      const viewPx = element.clientHeight;
      setView(before =>
        before.rowPx === rowPx && before.viewPx === viewPx ? before : { ...before, rowPx, viewPx },
      );
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    if (rows.current?.firstElementChild) sizes.observe(rows.current.firstElementChild);
    return () => sizes.disconnect();
  }, [rowHeightPx]);

  useLayoutEffect(() => {
    const style = rows.current?.style;
    style?.setProperty('height', `${count * view.rowPx}px`);
    style?.setProperty('padding-block-start', `${range.first * view.rowPx}px`);
  }, [count, view.rowPx, range.first]);

  const scroll = () => {
    const element = scroller.current;
    if (element === null) return;
    const { view: seen, count: all, range: drawn } = latest.current;
    const next = rowRangeAt(element.scrollTop, seen.viewPx, seen.rowPx, all);
    if (next.first === drawn.first && next.end === drawn.end) return;
    // A row that leaves the page must not lose the keyboard focus.
    const focused = document.activeElement?.closest<HTMLElement>('li[data-index]');
    const index = Number(focused?.dataset.index ?? Number.NaN);
    if (rows.current?.contains(focused ?? null) && (index < next.first || index >= next.end))
      element.focus({ preventScroll: true });
    // Synchronous: one frame later, scrolling by wheel would show a gap.
    flushSync(() => setView(before => ({ ...before, scrollPx: element.scrollTop })));
  };

  return { scroller, rows, latest, count, range, shown, slots, scroll };
}

/** Scrolls to a row and focuses it; `ref` exposes this to the parent. */
function useRowFocus(
  ref: Ref<VirtualListHandle> | undefined,
  scroller: RefObject<HTMLDivElement | null>,
  latest: RefObject<{ readonly view: { readonly rowPx: number } }>,
  rowHeightPx: number,
) {
  const focusRow = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (element === null) return;
      const { scrollTop, clientHeight } = element;
      const target = scrollToShow(index, scrollTop, clientHeight, latest.current.view.rowPx);
      if (target !== scrollTop) element.scrollTop = target;
      const find = () => element.querySelector<HTMLElement>(`[data-index="${index}"] [data-row-focus]`);
      const row = find();
      if (row !== null) row.focus({ preventScroll: true });
      // The row exists only after the scroll has been rendered.
      else requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus({ preventScroll: true })));
    },
    [scroller, latest],
  );
  useImperativeHandle(
    ref,
    () => ({
      focusRow,
      scrollToTop: () => {
        if (scroller.current !== null) scroller.current.scrollTop = 0;
      },
      isAtTop: () => (scroller.current?.scrollTop ?? 0) < rowHeightPx,
    }),
    [focusRow, rowHeightPx, scroller],
  );

  return focusRow;
}

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
    onRangeShown,
    renderRow,
    rowClassName,
    busy,
  } = props;
  const { scroller, rows, latest, count, range, shown, slots, scroll } = useRowWindow(props);
  const focusRow = useRowFocus(ref, scroller, latest, rowHeightPx);
  const isAtEnd = count > 0 && range.end >= count;
  useEffect(() => {
    if (isAtEnd) onEndReached?.();
  }, [isAtEnd, onEndReached]);
  useEffect(() => onRangeShown?.(range.first, range.end), [range.first, range.end, onRangeShown]);

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
    // biome-ignore lint/a11y/noStaticElementInteractions: it holds the keyboard while the row that had it is scrolled away.
    <div
      ref={scroller}
      id={id}
      tabIndex={-1}
      onScroll={scroll}
      onKeyDown={key}
      className="relative min-h-0 flex-1 overflow-auto overscroll-contain outline-none touch-pan-y touch-pinch-zoom [contain:strict] [overflow-anchor:none]"
    >
      <ul
        ref={rows}
        aria-label={label}
        aria-busy={busy || undefined}
        className={cn('w-full', props.listClassName)}
      >
        {shown.map((item, offset) => {
          const index = range.first + offset;
          return (
            <li
              key={slots.current.get(keyOf(item))}
              data-index={index}
              aria-setsize={total}
              aria-posinset={index + 1}
              className={rowClassName}
            >
              {renderRow(item, index, index === activeIndex)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** The list, memoized so that its parent may render often. */
export const VirtualList = memo(PlainVirtualList) as typeof PlainVirtualList;
