// What the device asks to be closed: the Back button and gesture of phones. Browsers with CloseWatcher, and the shell, tell
// the last thing that was opened; for the others (Safari, Firefox) Back leads to the entry before one that is put into the
// history while something is open. With a keyboard Esc is the business of each part.
import { useEffect, useRef } from 'react';
import { LAYER_LEFT_MS } from '../timing.ts';

type Watcher = { onclose: (() => void) | null; readonly destroy: () => void };
type WatcherGlobal = { readonly CloseWatcher?: new () => Watcher };

/** What is open without CloseWatcher, the last opened at the end. */
const layers: { readonly close: () => void }[] = [];

const isOnLayer = (): boolean => (history.state as { readonly isLayer?: boolean } | null)?.isLayer === true;

/** The state of the entry stays as it is, or the router would lose count. */
const putLayer = (): void => history.pushState({ ...history.state, isLayer: true }, '');

/** The entry is left once nothing is open; not before whatever closed it has gone to another page, if it does. */
const leaveLayer = (): void =>
  void setTimeout(() => layers.length === 0 && isOnLayer() && history.back(), LAYER_LEFT_MS);

function followHistory(): void {
  if (isOnLayer()) leaveLayer();
  else {
    layers.pop()?.close();
    if (layers.length > 0) putLayer();
  }
}

let isFollowing = false;

function watchHistory(close: () => void): () => void {
  if (!isFollowing) addEventListener('popstate', followHistory);
  isFollowing = true;
  const layer = { close };
  layers.push(layer);
  if (!isOnLayer()) putLayer();
  return () => {
    const at = layers.indexOf(layer);
    if (at >= 0) layers.splice(at, 1);
    leaveLayer();
  };
}

/**
 * Esc belongs to the list that the element with the focus has opened (suggestions, choices): unless the key says that it
 * was taken, the browser asks the last CloseWatcher as well, and what the list stands in would close with it.
 */
function keepForList(event: KeyboardEvent): void {
  const { target } = event;
  const isOfList = target instanceof Element && target.closest('[aria-expanded="true"], [role="listbox"]');
  if (event.key === 'Escape' && isOfList) event.preventDefault();
}

/** Calls `close` for such a request while `isOn`. */
export function useCloseRequest(isOn: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!isOn || !matchMedia('(pointer: coarse)').matches) return;
    const { CloseWatcher } = globalThis as WatcherGlobal;
    if (CloseWatcher === undefined) return watchHistory(() => latest.current());
    addEventListener('keydown', keepForList, true);
    const watcher = new CloseWatcher();
    watcher.onclose = () => latest.current();
    return () => watcher.destroy();
  }, [isOn]);
}
