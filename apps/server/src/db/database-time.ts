/**
 * What time it is for the database, which is the time of the service ([Note: The service's time]).
 */
import { sql } from 'kysely';
import type { Db } from './pool.ts';

/** Milliseconds since 1970, at this moment and not at the beginning of a transaction. */
export async function askTime(db: Db): Promise<number> {
  const { rows } = await sql<{ nowMs: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not say what time it is');
  return row.nowMs;
}
