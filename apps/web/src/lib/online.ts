// Whether the browser believes to be connected, live.
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** false when there is certainly no connection. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);
