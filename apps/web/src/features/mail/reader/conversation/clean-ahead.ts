// Precomputes a result for a message before it is opened and keeps it as long as the message. Runs
// one job at a time, while idle, and only for the latest request. Independent of what the job
// computes.

export type AheadOfTime<Key extends object, Value> = {
  /** Returns the finished or pending result for a key, or undefined when no work has begun. */
  readonly find: (key: Key) => Promise<Value> | undefined;
  /** Stores a result that was computed elsewhere. */
  readonly keep: (key: Key, value: Value) => void;
  /** Computes the result soon, unless another key is requested first. */
  readonly want: (key: Key) => void;
};

/** `whenIdle` resolves when there is time for `make`. Its rejections are ignored. */
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
