// The page's side of the service worker: registers it once the page has settled, and knows when a
// newer version is waiting or other news about the app exists. The code for that is fetched then
// (version-watch.ts). Skipped on development pages and in browsers without service workers.
import { useSyncExternalStore } from 'react';
import type { ProgramNews } from '../lib/code-state.ts';
import { SERVICE_WORKER_DELAY_MS } from '../timing.ts';

let waiting: ProgramNews | null = null;
const listeners = new Set<() => void>();

/** Returns the current news. */
export const programNews = (): ProgramNews | null => waiting;

function setNews(news: ProgramNews | null): void {
  waiting = news;
  for (const listener of listeners) listener();
}

/**
 * Registers the service worker some time after the page has opened. Returns a function that cancels
 * it.
 */
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

/** Returns whether there is news about the app, live. */
export const useProgramNews = (): boolean => useSyncExternalStore(subscribe, () => waiting !== null);
