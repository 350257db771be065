/**
 * Remembers counts that had to be counted, by user, filter and version of the mailbox: a version never comes back, so an
 * entry is right for as long as it is asked for. Small; the least recently used goes first.
 */

export type CountCache = {
  /** The count of a filter at a version, or null. */
  readonly find: (userId: string, filterKey: string, version: number) => number | null;
  readonly keep: (userId: string, filterKey: string, version: number, count: number) => void;
};

export const createCountCache = (entriesMax: number): CountCache => {
  const entries = new Map<string, { readonly version: number; readonly count: number }>();
  const keyOf = (userId: string, filterKey: string) => `${userId} ${filterKey}`;
  return {
    find: (userId, filterKey, version) => {
      const key = keyOf(userId, filterKey);
      const entry = entries.get(key);
      if (entry === undefined || entry.version !== version) return null;
      // A Map keeps the order of insertion: put in anew, the entry is the youngest.
      entries.delete(key);
      entries.set(key, entry);
      return entry.count;
    },
    keep: (userId, filterKey, version, count) => {
      const key = keyOf(userId, filterKey);
      entries.delete(key);
      entries.set(key, { version, count });
      const oldest = entries.keys().next();
      if (entries.size > entriesMax && !oldest.done) entries.delete(oldest.value);
    },
  };
};
