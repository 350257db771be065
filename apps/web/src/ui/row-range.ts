// Which rows of a long list of equal rows exist while a part of it is seen. Pure arithmetic; VirtualList does the rest.

/** How far rows exist before and after those that are seen, so that a fast wheel finds them. */
const OVERSCAN_PX = 320;

export type RowRange = {
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
