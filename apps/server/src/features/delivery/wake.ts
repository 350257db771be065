/**
 * Tells the queue's worker in this process that there is something to do. Workers of other processes find it at their
 * next poll.
 */
import type { Db } from '../../db/pool.ts';

const listeners = new WeakMap<Db, Set<() => void>>();

/** Calls `listener` at every wake for this database; returns what stops it. */
export const onWake = (db: Db, listener: () => void): (() => void) => {
  const set = listeners.get(db) ?? new Set();
  listeners.set(db, set.add(listener));
  return () => {
    set.delete(listener);
  };
};

/** To be called once new rows of the queue are committed. */
export const wakeDelivery = ({ db }: { readonly db: Db }): void => {
  for (const listener of listeners.get(db) ?? []) listener();
};
