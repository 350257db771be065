// The position in a list from which a search was started, so that Esc returns to it: address and
// scroll position.

/** A list and its scroll position. */
export type ListPlace = { readonly pathname: string; readonly query: string; readonly scrollTop: number };

/**
 * Maximum number of frames to wait for the list to be rendered before the scroll position is
 * dropped.
 */
const FRAMES_MAX = 40;

/** Returns the element that scrolls the rows. */
function scroller(): Element | null {
  const list = document.querySelector('#list');
  for (let one = list; one !== null && one.tagName !== 'MAIN'; one = one.parentElement)
    if (one.scrollHeight > one.clientHeight + 1 && getComputedStyle(one).overflowY !== 'visible') return one;
  return list;
}

export const keepListPlace = (pathname: string, query: string): ListPlace => ({
  pathname,
  query,
  scrollTop: scroller()?.scrollTop ?? 0,
});

/** Restores the scroll position once the rows are rendered. */
export function restoreListPlace({ scrollTop }: ListPlace): void {
  let frames = 0;
  const attempt = (): void => {
    const element = scroller();
    if (element !== null) element.scrollTop = scrollTop;
    if ((element?.scrollTop ?? -1) !== scrollTop && ++frames < FRAMES_MAX) requestAnimationFrame(attempt);
  };
  if (scrollTop > 0) requestAnimationFrame(() => requestAnimationFrame(attempt));
}
