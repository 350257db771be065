// Work that is done for a mail before it is opened, and kept as long as the mail is: one at a time, while nothing else is to
// do, and only for what was wanted last. Knows nothing of what the work is.

export type AheadOfTime<Key extends object, Value> = {
  /** What was made for a key, or is being made; undefined when nobody has begun. */
  readonly find: (key: Key) => Promise<Value> | undefined;
  /** Keeps what was made otherwise. */
  readonly keep: (key: Key, value: Value) => void;
  /** Makes it soon, unless another one is wanted before its turn comes. */
  readonly want: (key: Key) => void;
};

/** `whenIdle` resolves when there is time for `make`; what it rejects with is forgotten. */
export function createAheadOfTime<Key extends object, Value>(
  make: (key: Key) => Promise<Value>,
  whenIdle: () => Promise<unknown>,
): AheadOfTime<Key, Value> {
  const made = new WeakMap<Key, Promise<Value>>();
  let wanted: Key | null = null;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    for (;;) {
      await whenIdle();
      const key = wanted;
      wanted = null;
      if (key === null) break;
      if (made.has(key)) continue;
      const value = make(key);
      made.set(key, value);
      await value.catch(() => made.delete(key));
    }
    isRunning = false;
  };
  return {
    find: key => made.get(key),
    keep: (key, value) => void made.set(key, Promise.resolve(value)),
    want: key => {
      wanted = key;
      if (!isRunning) void run();
    },
  };
}
