/**
 * Cache of parsed filters, so that a message does not require opening and parsing its reader's
 * lists again. Bounded by bytes, not by users: a user with thousands of rules and senders takes the
 * space of many users with few, and memory stays bounded. Evicts the least recently used entries.
 * Knows nothing about the values it stores.
 */

/** A cache of values of one kind. */
export type Ready<T> = {
  /**
   * Returns the value cached under a key at a version, or null when it is missing or has another
   * version.
   */
  readonly find: (key: string, version: number) => T | null;
  /**
   * Caches a value and evicts others to make space. A value larger than the whole cache is not
   * stored.
   */
  readonly keep: (key: string, version: number, sizeBytes: number, value: T) => void;
  readonly forget: (key: string) => void;
  readonly sizeBytes: () => number;
};

type Entry<T> = { readonly version: number; readonly sizeBytes: number; readonly value: T };

export function createReady<T>(maxBytes: number): Ready<T> {
  // A Map keeps insertion order: a reinserted entry becomes the most recent.
  const entries = new Map<string, Entry<T>>();
  let totalBytes = 0;

  const forget = (key: string): void => {
    totalBytes -= entries.get(key)?.sizeBytes ?? 0;
    entries.delete(key);
  };

  return {
    find: (key, version) => {
      const entry = entries.get(key);
      if (entry?.version !== version) return null;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    keep: (key, version, sizeBytes, value) => {
      forget(key);
      if (sizeBytes > maxBytes) return;
      entries.set(key, { version, sizeBytes, value });
      totalBytes += sizeBytes;
      for (const oldest of entries.keys()) {
        if (totalBytes <= maxBytes) return;
        forget(oldest);
      }
    },
    forget,
    sizeBytes: () => totalBytes,
  };
}
