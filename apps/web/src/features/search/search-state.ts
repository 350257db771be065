// State of the index and of the server search, for the line above the results, and the recent
// searches, kept in memory only.
import { useSyncExternalStore } from 'react';
import type { SearchState } from '../../crypto/search-client.ts';

export type SearchView = {
  readonly index: SearchState | null;
  /** The server was asked for the part that the index does not have yet, and did not answer. */
  readonly hasServerFailed: boolean;
  /** The index cannot be opened on this device. */
  readonly hasIndexFailed: boolean;
};

let view: SearchView = { index: null, hasServerFailed: false, hasIndexFailed: false };
let recent: readonly string[] = [];
const RECENT_MAX = 8;
const listeners = new Set<() => void>();

export const searchView = (): SearchView => view;

export function setSearchView(change: Partial<SearchView>): void {
  const next = { ...view, ...change };
  if (
    next.index === view.index &&
    next.hasServerFailed === view.hasServerFailed &&
    next.hasIndexFailed === view.hasIndexFailed
  )
    return;
  view = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useSearchView = (): SearchView => useSyncExternalStore(subscribe, searchView);

/** Returns the recent searches, latest first. */
export const recentSearches = (): readonly string[] => recent;

export function rememberSearch(text: string): void {
  const wanted = text.trim();
  if (wanted !== '') recent = [wanted, ...recent.filter(one => one !== wanted)].slice(0, RECENT_MAX);
}
