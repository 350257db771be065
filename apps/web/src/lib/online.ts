// Whether the browser reports a connection.
import { useSyncExternalStore } from 'react';

/** Calls `listener` at each change. Returns an unsubscribe function. */
export function subscribeOnline(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** false when there is definitely no connection. */
export const isOnline = (): boolean => navigator.onLine;

/** The same, live. */
export const useOnline = (): boolean => useSyncExternalStore(subscribeOnline, isOnline);
