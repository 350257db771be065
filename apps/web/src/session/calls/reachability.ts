// Whether the server answered when it was last asked. The browser's own word for it knows of the cable, not of the server.
import { useSyncExternalStore } from 'react';
import { isOnline, subscribeOnline } from '../../lib/online.ts';

let isAnswering = true;
const listeners = new Set<() => void>();

/** Told by the client after every call. */
export function setAnswering(next: boolean): void {
  if (next === isAnswering) return;
  isAnswering = next;
  for (const listener of listeners) listener();
}

/** Calls `listener` when that may have changed. Returns the way to stop. */
export function subscribeReachable(listener: () => void): () => void {
  listeners.add(listener);
  const stop = subscribeOnline(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

/** Whether the server can be asked now, as far as is known. */
export const isReachable = (): boolean => isAnswering && isOnline();

/** The same, live. */
export const useReachable = (): boolean => useSyncExternalStore(subscribeReachable, isReachable);
