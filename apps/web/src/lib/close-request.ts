// What the device asks to be closed: the Back button and gesture of Android, which come to a page as close requests. The
// last thing that was opened is closed first; then Back goes from page to page, as always.
import { useEffect, useRef } from 'react';

type Watcher = { onclose: (() => void) | null; readonly destroy: () => void };

/** Calls `close` for such a request while `isOn`. With a keyboard Esc is the business of each part. */
export function useCloseRequest(isOn: boolean, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const { CloseWatcher } = globalThis as { readonly CloseWatcher?: new () => Watcher };
    if (!isOn || CloseWatcher === undefined || !matchMedia('(pointer: coarse)').matches) return;
    const watcher = new CloseWatcher();
    watcher.onclose = () => latest.current();
    return () => watcher.destroy();
  }, [isOn]);
}
