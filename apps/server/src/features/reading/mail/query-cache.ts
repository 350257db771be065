/**
 * Caches results that queries had to compute: the number of matching messages and where some pages
 * begin. An entry belongs to a user, a filter and a version of the mailbox; versions never repeat,
 * so no entry goes stale. The cache is small and evicts the least recently used entry.
 */
import { LRUCache } from 'lru-cache';

/**
 * A position in a list. The time is in PostgreSQL's text form, because a Date would truncate its
 * fractions.
 */
export type Cursor = { readonly id: string; readonly receivedAt: string };
/** A cursor and the number of rows of the list before it. */
export type Anchor = { readonly offset: number; readonly cursor: Cursor };

export type CachedQuery = {
  /**
   * Returns the number of matches, computed at most once: callers that ask during a count share its
   * result. Rejects when the work does; the next call then retries.
   */
  readonly count: (work: () => Promise<number>) => Promise<{ count: number; cache_hit: boolean }>;
  /** Returns the last known position at or before an offset, or null when that is the beginning. */
  readonly findAnchor: (offset: number) => Anchor | null;
  readonly keepAnchor: (anchor: Anchor) => void;
};

export type QueryCache = {
  /** Returns the cached results of a filter at a version; drops an entry of another version. */
  readonly open: (userId: string, filterKey: string, version: number) => CachedQuery;
};

/** Maximum number of positions kept per list. */
const ANCHORS_MAX = 32;

type Entry = {
  readonly version: number;
  count: Promise<number> | null;
  readonly anchors: LRUCache<number, Cursor>;
};

export function createQueryCache(entriesMax: number): QueryCache {
  const entries = new LRUCache<string, Entry>({ max: entriesMax });

  const entryOf = (key: string, version: number): Entry => {
    const found = entries.get(key);
    if (found?.version === version) return found;
    const entry: Entry = { version, count: null, anchors: new LRUCache({ max: ANCHORS_MAX }) };
    entries.set(key, entry);
    return entry;
  };

  return {
    open: (userId, filterKey, version) => {
      const entry = entryOf(`${userId} ${filterKey}`, version);
      return {
        count: async work => {
          const isKnown = entry.count !== null;
          entry.count ??= work().catch(error => {
            entry.count = null;
            throw error;
          });
          return { count: await entry.count, cache_hit: isKnown };
        },
        findAnchor: offset => {
          const offsets = [...entry.anchors.keys()].filter(known => known <= offset);
          const nearest = Math.max(0, ...offsets);
          const cursor = entry.anchors.get(nearest);
          return cursor === undefined ? null : { offset: nearest, cursor };
        },
        keepAnchor: ({ offset, cursor }) => {
          entry.anchors.set(offset, cursor);
        },
      };
    },
  };
}
