// Enter in the search field: the keyboard goes on to the first hit as soon as the list shows one. It stays in the field when
// nothing is found, and when somebody has gone on typing or elsewhere meanwhile.
import type { QueryClient } from '@tanstack/react-query';
import { idOf, listsKey, type MailPages } from './queries.ts';

/** Frames that an answer may take until it is drawn. */
const FRAMES_MAX = 40;

/** The first hit of a search by its mail; null while there is none, or no answer. */
export function firstHit(cache: QueryClient, search: string): string | null {
  const lists = cache.getQueryCache().findAll({ queryKey: [...listsKey, 'all', { search }], type: 'active' });
  const data = lists.map(({ state }) => state.data as MailPages | undefined).find(one => one !== undefined);
  const row = data?.pages[0]?.rows[0];
  return row === undefined ? null : idOf(row);
}

/** Puts the keyboard on a row if it is drawn. */
function focusHit(id: string): boolean {
  const list = document.querySelector('#list');
  if (list === null) return false;
  list.scrollTop = 0;
  const row = list.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"] [data-row-focus]`);
  row?.focus({ preventScroll: true });
  return row !== null;
}

let stopBefore = (): void => undefined;

/** Puts the keyboard on the first hit, now or when it comes. */
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
