/**
 * Tells workers of this process that there is something to do. Workers of other processes find it at their next look.
 */
import type { Db } from './pool.ts';

export type Notifier = {
  /** Calls `listener` at every wake for this database; returns what stops it. */
  readonly onWake: (db: Db, listener: () => void) => () => void;
  /** To be called once new rows are committed. */
  readonly wake: (db: Db) => void;
};

export function createNotifier(): Notifier {
  const listeners = new WeakMap<Db, Set<() => void>>();
  return {
    onWake: (db, listener) => {
      const set = listeners.get(db) ?? new Set();
      listeners.set(db, set.add(listener));
      return () => {
        set.delete(listener);
      };
    },
    wake: db => {
      for (const listener of listeners.get(db) ?? []) listener();
    },
  };
}
