/**
 * Statements on counts that all machines share: rows of `rate_limits`, which a crash may lose and
 * which are deleted after they expire (http/rate-limiter.ts).
 */
import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';

/** An increment of a count; `expiresAtMs` is in the clock's time. */
export type Addition = { readonly key: string; readonly points: number; readonly expiresAtMs: number };

/** Adds to counts, all in one statement, and returns each total. */
export async function addPoints(
  db: Db,
  additions: readonly Addition[],
): Promise<ReadonlyMap<string, number>> {
  // Sorted, so that two machines never deadlock.
  const rows = additions.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const { rows: totals } = await sql<{ key: string; points: number }>`
    insert into rate_limits (key, points, expire)
    select * from unnest(
      ${rows.map(({ key }) => key)}::text[],
      ${rows.map(({ points }) => points)}::integer[],
      ${rows.map(({ expiresAtMs }) => expiresAtMs)}::bigint[])
    on conflict (key) do update set points = rate_limits.points + excluded.points
    returning key, points`.execute(db);
  return new Map(totals.map(({ key, points }) => [key, points]));
}
