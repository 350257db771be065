// The page's side of the service worker: registers it once the page has settled, and knows when a newer version of the
// program waits, or there is other news of it. What that takes is fetched then (version-watch.ts); development pages and browsers without service
// workers do without.
import { useSyncExternalStore } from 'react';
import type { ProgramNews } from '../lib/code-state.ts';
import { SERVICE_WORKER_DELAY_MS } from '../timing.ts';

let waiting: ProgramNews | null = null;
const listeners = new Set<() => void>();

/** What there is to tell now. */
export const programNews = (): ProgramNews | null => waiting;

function setNews(news: ProgramNews | null): void {
  waiting = news;
  for (const listener of listeners) listener();
}

/** Registers the service worker a while after the page was opened. Returns the way to call it off. */
export function startServiceWorker(): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => undefined;
  const timer = setTimeout(
    () => void import('./version-watch.ts').then(({ register }) => register(setNews)).catch(() => undefined),
    SERVICE_WORKER_DELAY_MS,
  );
  return () => clearTimeout(timer);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether there is something to tell of the program, live. */
export const useProgramNews = (): boolean => useSyncExternalStore(subscribe, () => waiting !== null);
