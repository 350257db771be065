/**
 * Notes that mailboxes change, for whoever watches this database in this process. A note is made inside the transaction
 * that changes; it says which version of the mailbox to wait for, because only a commit makes the change one.
 */
import type { Db, Trx } from './pool.ts';

/** mail: mail arrived. change: anything else. session: sessions of the user ended. */
export type ChangeKind = 'mail' | 'change' | 'session';
export type NotedChange = { readonly userId: string; readonly version: number; readonly kind: ChangeKind };
type Watcher = (change: NotedChange) => void;

/** A database's transactions share its adapter, and nothing else that could be named. */
const watchers = new WeakMap<object, Watcher>();
const keyOf = (db: Db | Trx): object => db.getExecutor().adapter;

/** Calls `watcher` for every note on this database; one watcher at a time. Returns how to stop. */
export function watchChanges(db: Db, watcher: Watcher): () => void {
  watchers.set(keyOf(db), watcher);
  return () => watchers.delete(keyOf(db));
}

/** Notes a change; nobody hears of it when nobody watches. */
export const noteChange = (db: Db | Trx, change: NotedChange): void => watchers.get(keyOf(db))?.(change);
