// Computes which rows of a long list of equally high rows exist for a scroll position, and which
// page element renders each. A visible row keeps its element; a new row reuses the element of one
// that left, so that scrolling creates no garbage. Pure arithmetic; VirtualList does the rest.

/**
 * Distance for which rows exist before and after the visible ones, so that fast scrolling finds
 * them.
 */
const OVERSCAN_PX = 320;

type RowRange = {
  /** First row that exists. */
  first: number;
  /** One past the last row that exists. */
  end: number;
};

/**
 * Returns the rows to render for a scroll position and a window height, in pixels. The number of
 * rows is the same everywhere in a list that is long enough, so that scrolling creates and removes
 * no elements.
 */
export function rowRangeAt(scrollPx: number, viewPx: number, rowPx: number, count: number): RowRange {
  const overscanRows = Math.ceil(OVERSCAN_PX / rowPx);
  // One more than fits: the first and the last row may be cut off.
  const rows = Math.ceil(viewPx / rowPx) + 1 + 2 * overscanRows;
  const wanted = Math.floor(Math.max(0, scrollPx) / rowPx) - overscanRows;
  const first = Math.max(0, Math.min(wanted, count - rows));
  return { first, end: Math.min(count, first + rows) };
}

/** Returns the scroll position that makes a row fully visible with the least movement. */
export function scrollToShow(index: number, scrollPx: number, viewPx: number, rowPx: number): number {
  const top = index * rowPx;
  return Math.max(0, Math.min(top, Math.max(scrollPx, top + rowPx - viewPx)));
}

/**
 * Returns the element numbers for these rows, in order, given the elements of the previous rows.
 * Free elements are assigned in document order, so that a jump moves none of them.
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
