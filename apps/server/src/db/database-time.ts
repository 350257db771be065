/** Reads the database's clock, which is the time of the service ([Note: The service's time]). */
import { sql } from 'kysely';
import type { Db } from './pool.ts';

/**
 * Returns milliseconds since 1970, at the time of the call rather than the start of the
 * transaction.
 */
export async function askTime(db: Db): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database time is unavailable');
  return row.nowMs;
}
