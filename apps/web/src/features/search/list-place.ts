// The place in a list that a search began at, so that Esc leads back to it: address and scroll position.

/** A list, and how far it was scrolled. */
export type ListPlace = { readonly pathname: string; readonly query: string; readonly scrollTop: number };

/** Frames to wait for the list to stand again before its place is given up. */
const FRAMES_MAX = 40;

/** The element that scrolls the rows. */
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

/** Scrolls back once the rows are there again. */
export function restoreListPlace({ scrollTop }: ListPlace): void {
  let frames = 0;
  const attempt = (): void => {
    const element = scroller();
    if (element !== null) element.scrollTop = scrollTop;
    if ((element?.scrollTop ?? -1) !== scrollTop && ++frames < FRAMES_MAX) requestAnimationFrame(attempt);
  };
  if (scrollTop > 0) requestAnimationFrame(() => requestAnimationFrame(attempt));
}
