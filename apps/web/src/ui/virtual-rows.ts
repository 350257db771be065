// Which rows of a long list of equal rows exist while a part of it is seen, and which element of the page each is drawn in. A row
// keeps its element while it is in sight; one that comes takes the element of one that went, so that scrolling leaves no garbage.
// Pure arithmetic; VirtualList does the rest.

/** How far rows exist before and after those that are seen, so that a fast wheel finds them. */
const OVERSCAN_PX = 320;

type RowRange = {
  /** First row that exists. */
  first: number;
  /** The row after the last one that exists. */
  end: number;
};

/**
 * The rows to draw for a scroll position and a height of the window, in pixels. As many at every place of a list that is
 * long enough, so that scrolling makes and removes no elements.
 */
export function rowRangeAt(scrollPx: number, viewPx: number, rowPx: number, count: number): RowRange {
  const overscanRows = Math.ceil(OVERSCAN_PX / rowPx);
  // One more than fit: the first and the last may be cut.
  const rows = Math.ceil(viewPx / rowPx) + 1 + 2 * overscanRows;
  const wanted = Math.floor(Math.max(0, scrollPx) / rowPx) - overscanRows;
  const first = Math.max(0, Math.min(wanted, count - rows));
  return { first, end: Math.min(count, first + rows) };
}

/** Where to scroll so that a row is wholly seen, moving as little as possible. */
export function scrollToShow(index: number, scrollPx: number, viewPx: number, rowPx: number): number {
  const top = index * rowPx;
  return Math.max(0, Math.min(top, Math.max(scrollPx, top + rowPx - viewPx)));
}

/**
 * Numbers of elements for these rows, in their order, given the elements that the rows before had. Elements that are free
 * are taken in the order in which they stand, so that a jump moves none of them.
 */
export function assignSlots(
  before: ReadonlyMap<string, number>,
  rows: readonly string[],
): ReadonlyMap<string, number> {
  const staying = new Set(rows);
  const free = [...before].flatMap(([row, slot]) => (staying.has(row) ? [] : [slot]));
  let nextFree = 0;
  let next = Math.max(-1, ...before.values()) + 1;
  const slots = new Map<string, number>();
  for (const row of rows) slots.set(row, before.get(row) ?? free[nextFree++] ?? next++);
  return slots;
}
