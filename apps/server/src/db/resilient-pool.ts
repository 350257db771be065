/**
 * A pool for Kysely that handles a failing database. A connection is not reused if its last
 * statement got no answer, or if its server has become read-only. Load is shed when connections are
 * exhausted, that is, when a caller waited in vain or has waited for three seconds: one caller
 * keeps waiting and new callers are rejected almost at once, so that they retry instead of queueing
 * ever longer behind a database that does not answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/**
 * Waiting time after which the pool counts as exhausted, in milliseconds: there are too few
 * connections, or none returns.
 */
const PATIENCE_MS = 3_000;
/**
 * How long a new caller waits to see whether the waiting caller gets a connection, in milliseconds:
 * a database that has recovered answers sooner.
 */
const HOPE_MS = 300;

const NO_ANSWER = 'Query read timeout';
const READ_ONLY = '25006';

/** The database is so slow that another waiting caller would only make it slower. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** Wraps a connection and records whether it can be reused. */
function watched(client: pg.PoolClient): PostgresPoolClient {
  let isMute = false;
  let isStale = false;
  const query = async (text: string, values: unknown[]) => {
    // The new statement would wait just as long behind the unanswered one.
    if (isMute) throw new Error('Connection terminated: an earlier statement timed out');
    try {
      return await client.query(text, values);
    } catch (error) {
      const { message, code } = error as { message?: unknown; code?: unknown };
      if (message === NO_ANSWER) isMute = true;
      if (code === READ_ONLY) isStale = true;
      throw error;
    }
  };
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: isToBeEnded => client.release(isToBeEnded === true || isMute || isStale),
  };
}

/** Wraps the pool. `connect` rejects with DatabaseBusy, or as the pool does. */
export function createResilientPool(pool: pg.Pool): PostgresPool {
  /** When each waiting caller began to wait, oldest first. */
  const waiting = new Map<symbol, number>();
  /** Whether the last waiting caller got no connection. */
  let isInVain = false;
  /**
   * The outcome of the waiting caller, for new callers that wait for it; null while there are none.
   */
  let news: PromiseWithResolvers<boolean> | null = null;
  const tell = (isGood: boolean): void => {
    isInVain = !isGood;
    news?.resolve(isGood);
    news = null;
  };
  /** Returns whether a waiting caller gets a connection very soon. */
  const hope = (): Promise<boolean> => {
    news ??= Promise.withResolvers();
    return Promise.race([news.promise, sleep(HOPE_MS, false)]);
  };
  const isHopeless = (now: number): boolean => {
    const [longest] = waiting.values();
    if (longest === undefined || pool.idleCount > 0) return false;
    return isInVain || now - longest > PATIENCE_MS;
  };
  return {
    options: pool.options,
    connect: async () => {
      if (isHopeless(performance.now()) && !(await hope()))
        throw new DatabaseBusy('All database connections are in use');
      const place = Symbol('place');
      waiting.set(place, performance.now());
      try {
        const client = await pool.connect();
        tell(true);
        return watched(client);
      } catch (error) {
        tell(false);
        throw error;
      } finally {
        waiting.delete(place);
      }
    },
    end: () => pool.end(),
  };
}
