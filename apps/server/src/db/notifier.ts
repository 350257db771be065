/**
 * Notifies workers of this process that there is work. Workers of other processes find it at their
 * next poll.
 */
import type { Db } from './pool.ts';

export type Notifier = {
  /** Calls `listener` at every notification for this database; returns a function that stops it. */
  readonly onWake: (db: Db, listener: () => void) => () => void;
  /** Notifies the listeners; call it after new rows are committed. */
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
