/**
 * Filters kept ready, so that a mail does not open and fold its reader's lists anew. Bound by bytes, not by users: one who
 * has thousands of rules and senders takes the room of many who have few, and cannot take more than there is. What was
 * not used for the longest time goes first. Knows nothing of what it keeps.
 */

/** Kept values of one kind. */
export type Ready<T> = {
  /** What is kept under a key at a version; null when it is not, or is another version. */
  readonly find: (key: string, version: number) => T | null;
  /** Keeps a value, and lets go of others for it; one that is larger than all the room is not kept. */
  readonly keep: (key: string, version: number, sizeBytes: number, value: T) => void;
  readonly forget: (key: string) => void;
  readonly sizeBytes: () => number;
};

type Entry<T> = { readonly version: number; readonly sizeBytes: number; readonly value: T };

export function createReady<T>(maxBytes: number): Ready<T> {
  // A Map keeps the order of insertion: put in anew, an entry is the youngest.
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
