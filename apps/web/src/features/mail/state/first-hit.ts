// Enter in the search field: moves the focus to the first hit as soon as the list shows one. The
// focus stays when nothing is found, or when the user has continued typing or moved elsewhere in
// the meantime.
import type { QueryClient } from '@tanstack/react-query';
import { idOf, listsKey, type MailPages } from './queries.ts';

/** Maximum number of frames to wait until a response is rendered. */
const FRAMES_MAX = 40;

/**
 * Returns the message id of a search's first hit, or null when there is none or no response yet.
 */
export function firstHit(cache: QueryClient, search: string): string | null {
  const lists = cache.getQueryCache().findAll({ queryKey: [...listsKey, 'all', { search }], type: 'active' });
  const data = lists.map(({ state }) => state.data as MailPages | undefined).find(one => one !== undefined);
  const row = data?.pages[0]?.rows[0];
  return row === undefined ? null : idOf(row);
}

/** Focuses a row if it is rendered. */
function focusHit(id: string): boolean {
  const list = document.querySelector('#list');
  if (list === null) return false;
  list.scrollTop = 0;
  const row = list.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-focus]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}

let stopBefore = (): void => undefined;

/** Focuses the first hit, now or when it arrives. */
export function goToFirstHit(cache: QueryClient, search: string, field: Element): void {
  stopBefore();
  let frame = 0;
  let frames = 0;
  const look = (): void => {
    if (document.activeElement !== field) {
      stop();
      return;
    }
    const id = firstHit(cache, search);
    if (id === null) return;
    if (focusHit(id)) stop();
    else if (++frames < FRAMES_MAX) frame = requestAnimationFrame(look);
  };
  const unsubscribe = cache.getQueryCache().subscribe(() => {
    cancelAnimationFrame(frame);
    frames = 0;
    frame = requestAnimationFrame(look);
  });
  const stop = (): void => {
    cancelAnimationFrame(frame);
    unsubscribe();
  };
  stopBefore = stop;
  look();
}
