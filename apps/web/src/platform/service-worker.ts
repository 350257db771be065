// The page's side of the service worker: registers it once the page has settled, and knows when a newer version of the
// program waits. What that takes is fetched then (version-watch.ts); development pages and browsers without service
// workers do without.
import { useSyncExternalStore } from 'react';
import { serviceWorkerDelayMs } from '../timing.ts';

let waiting: ServiceWorker | null = null;
const listeners = new Set<() => void>();

/** The worker of a newer version that waits to be asked. */
export const waitingWorker = (): ServiceWorker | null => waiting;

function setWaitingWorker(worker: ServiceWorker): void {
  waiting = worker;
  for (const listener of listeners) listener();
}

/** Registers the service worker a while after the page was opened. Returns the way to call it off. */
export function startServiceWorker(): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined;
  const timer = setTimeout(
    () =>
      void import('./version-watch.ts')
        .then(({ register }) => register(setWaitingWorker))
        .catch(() => undefined),
    serviceWorkerDelayMs,
  );
  return () => clearTimeout(timer);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a newer version of the program waits, live. */
export const useUpdateWaiting = (): boolean => useSyncExternalStore(subscribe, () => waiting !== null);
