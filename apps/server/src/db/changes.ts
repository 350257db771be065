/**
 * Notifies watchers in this process when mailboxes in this database change. A change is noted
 * inside the transaction that makes it, with the mailbox version to wait for, because the change
 * takes effect only at commit.
 */
import type { Db, Trx } from './pool.ts';

/** mail: new mail arrived. change: anything else. session: sessions of the user ended. */
export type ChangeKind = 'mail' | 'change' | 'session';
export type NotedChange = { readonly userId: string; readonly version: number; readonly kind: ChangeKind };
type Watcher = (change: NotedChange) => void;

/** A database and its transactions share only the adapter as a common identity. */
const watchers = new WeakMap<object, Watcher>();
const keyOf = (db: Db | Trx): object => db.getExecutor().adapter;

/**
 * Calls `watcher` for every change noted on this database; one watcher at a time. Returns a
 * function that stops it.
 */
export function watchChanges(db: Db, watcher: Watcher): () => void {
  watchers.set(keyOf(db), watcher);
  return () => watchers.delete(keyOf(db));
}

/** Notes a change; without a watcher it has no effect. */
export const noteChange = (db: Db | Trx, change: NotedChange): void => watchers.get(keyOf(db))?.(change);
