// Whether the server answered the last request. The browser's online status covers only the
// network, not the server.
import { useSyncExternalStore } from 'react';
import { isOnline, subscribeOnline } from '../../lib/online.ts';

let isAnswering = true;
const listeners = new Set<() => void>();

/** Called by the client after every call. */
export function setAnswering(next: boolean): void {
  if (next === isAnswering) return;
  isAnswering = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` when reachability may have changed. Returns an unsubscribe function. */
export function subscribeReachable(listener: () => void): () => void {
  listeners.add(listener);
  const stop = subscribeOnline(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

/** Returns whether the server can be reached now, as far as is known. */
export const isReachable = (): boolean => isAnswering && isOnline();

/** Returns the same, live. */
export const useReachable = (): boolean => useSyncExternalStore(subscribeReachable, isReachable);
