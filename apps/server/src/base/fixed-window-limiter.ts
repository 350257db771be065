/**
 * Counts events per key within a fixed time window, in the memory of this process, for a bounded
 * number of keys: an attacker with millions of addresses evicts other keys, but memory stays
 * bounded. Base layer.
 */

export type FixedWindowLimiter = {
  /** Counts one event; returns false when the key has exceeded its limit in the current window. */
  readonly take: (key: string) => boolean;
};

/** `now` is in milliseconds; a key's window begins with its first event. */
export function createFixedWindowLimiter(options: {
  readonly points: number;
  readonly windowMs: number;
  readonly keysMax: number;
  readonly now: () => number;
}): FixedWindowLimiter {
  const { points, windowMs, keysMax, now } = options;
  // Maps preserve insertion order, and all windows have the same length, so the first one ends
  // first.
  const windows = new Map<string, { readonly endsAt: number; count: number }>();
  const makeRoom = (at: number): void => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > at && windows.size < keysMax) return;
      windows.delete(key);
    }
  };
  return {
    take: key => {
      const at = now();
      const known = windows.get(key);
      if (known !== undefined && known.endsAt > at) return ++known.count <= points;
      windows.delete(key);
      makeRoom(at);
      windows.set(key, { endsAt: at + windowMs, count: 1 });
      return points > 0;
    },
  };
}
