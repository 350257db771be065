/**
 * Counts what strangers do within a window of time, in the memory of this process, for so many of them and no more: who has
 * millions of addresses makes others be forgotten, and no room of ours. Ground.
 */

export type FixedWindowLimiter = {
  /** Counts one; false when this key has had its share of the window that it is in. */
  readonly take: (key: string) => boolean;
};

/** `now` in milliseconds; a key's window begins with what is first counted of it. */
export function createFixedWindowLimiter(options: {
  readonly points: number;
  readonly windowMs: number;
  readonly keysMax: number;
  readonly now: () => number;
}): FixedWindowLimiter {
  const { points, windowMs, keysMax, now } = options;
  // Maps keep the order of insertion, and windows are of one length: the first ends first.
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
