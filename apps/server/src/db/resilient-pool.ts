/**
 * A pool as Kysely uses it, made for a database that fails. A connection whose last statement got no answer, or whose
 * server has become one that only reads, is not given to the next who asks. And where connections are so short that somebody
 * waited in vain, or has waited for three seconds, one waits and who asks meanwhile is refused almost at once: they come back,
 * instead of all waiting longer and longer behind a database that does not answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/** Waiting for a connection this long means that there are too few, or that none comes back. */
const PATIENCE_MS = 3_000;
/** Whether the one who waits gets something is waited for so long: a database that is back answers sooner. */
const HOPE_MS = 300;

const NO_ANSWER = 'Query read timeout';
const READ_ONLY = '25006';

/** The database is so slow that one more who waits for it would only make it slower. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

/** A connection that remembers whether it can be used again. */
function watched(client: pg.PoolClient): PostgresPoolClient {
  let isMute = false;
  let isStale = false;
  const query = async (text: string, values: unknown[]) => {
    // It would wait behind the statement that nobody answers, for as long again.
    if (isMute) throw new Error('Connection terminated: an earlier statement got no answer');
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

/** The pool, watched. `connect` rejects with DatabaseBusy, or as the pool does. */
export function createResilientPool(pool: pg.Pool): PostgresPool {
  /** Since when each who waits does, the longest first. */
  const waiting = new Map<symbol, number>();
  /** Whether the last who waited got nothing. */
  let isInVain = false;
  /** What becomes of the one who waits, for those who hope; null while nobody does. */
  let news: PromiseWithResolvers<boolean> | null = null;
  const tell = (isGood: boolean): void => {
    isInVain = !isGood;
    news?.resolve(isGood);
    news = null;
  };
  /** Whether somebody gets a connection very soon. */
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
        throw new DatabaseBusy('No connection to the database is free');
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
