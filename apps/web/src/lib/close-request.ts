// Close requests of the device: the Back button and gesture of phones. With CloseWatcher (browsers
// that have it, and the shell), the most recently opened layer receives them. Elsewhere (Safari,
// Firefox), a history entry is pushed while a layer is open, and Back leaves that entry. With a
// keyboard, each component handles Esc.
import { useEffect, useRef } from 'react';
import { LAYER_LEFT_MS } from '../timing.ts';

type Watcher = { onclose: (() => void) | null; readonly destroy: () => void };
type WatcherGlobal = { readonly CloseWatcher?: new () => Watcher };

/** Layers that are open without CloseWatcher, most recent last. */
const layers: { readonly close: () => void }[] = [];

const isOnLayer = (): boolean => (history.state as { readonly isLayer?: boolean } | null)?.isLayer === true;

/** Keeps the state of the history entry, or the router would lose its position. */
const putLayer = (): void => history.pushState({ ...history.state, isLayer: true }, '');

/**
 * Leaves the history entry once no layer is open. The delay lets the action that closed the layer
 * navigate first, if it does.
 */
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
 * Esc belongs to the list that the focused element has opened (suggestions, choices). Unless the
 * key event is canceled, the browser also asks the most recent CloseWatcher, which would close the
 * container of the list.
 */
function keepForList(event: KeyboardEvent): void {
  const { target } = event;
  const isOfList = target instanceof Element && target.closest('[aria-expanded="true"], [role="listbox"]');
  if (event.key === 'Escape' && isOfList) event.preventDefault();
}

/** Calls `close` for close requests while `isOn`. */
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
