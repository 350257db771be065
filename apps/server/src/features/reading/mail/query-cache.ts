/**
 * What queries had to work out, kept for as long as it is right: how many mails match, and where some pages begin. An
 * entry belongs to a user, a filter and a version of the mailbox; a version never comes back, so nothing goes stale.
 * Small; the least recently used goes first.
 */
import { LRUCache } from 'lru-cache';

/** A place in a list; the time as PostgreSQL writes it, whose fractions a Date would cut. */
export type Cursor = { readonly id: string; readonly receivedAt: string };
/** After how many rows of the list a cursor stands. */
export type Anchor = { readonly offset: number; readonly cursor: Cursor };

export type CachedQuery = {
  /**
   * The number of matches, worked out at most once: who asks while somebody counts gets the same answer. Rejects as the
   * work does, which is tried again then.
   */
  readonly count: (work: () => Promise<number>) => Promise<{ count: number; cache_hit: boolean }>;
  /** The last known place at or before an offset, or null when that is the beginning. */
  readonly findAnchor: (offset: number) => Anchor | null;
  readonly keepAnchor: (anchor: Anchor) => void;
};

export type QueryCache = {
  /** What is known of a filter at a version; an entry of another version is forgotten. */
  readonly open: (userId: string, filterKey: string, version: number) => CachedQuery;
};

/** Places kept for one list. */
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
