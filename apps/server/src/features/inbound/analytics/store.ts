/** SQL for arrival counts. Days are in UTC, as YYYY-MM-DD. */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

export type Counts = {
  readonly flagged_by_sender: number;
  readonly flagged_by_rule: number;
  readonly flagged_by_score: number;
  readonly proved: number;
  readonly unproved: number;
  readonly disproved: number;
};

export type DayCounts = Counts & { readonly user_id: string; readonly day: string };

export const COUNT_NAMES = [
  'flagged_by_sender',
  'flagged_by_rule',
  'flagged_by_score',
  'proved',
  'unproved',
  'disproved',
] as const satisfies readonly (keyof Counts)[];

/** Adds to the counts. The rows must contain each user and day at most once. */
export async function addCounts(trx: Trx, rows: readonly DayCounts[]): Promise<void> {
  if (rows.length === 0) return;
  await trx
    .insertInto('arrival_counts')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['user_id', 'day'])
        .doUpdateSet(eb =>
          Object.fromEntries(
            COUNT_NAMES.map(name => [name, eb(`arrival_counts.${name}`, '+', eb.ref(`excluded.${name}`))]),
          ),
        ),
    )
    .execute();
}

const dayText = sql<string>`to_char(day, 'YYYY-MM-DD')`;

/** Returns a user's days from the given day on, oldest first. Days without mail are absent. */
export const findCounts = (
  db: Db,
  userId: string,
  since: string,
): Promise<readonly (Counts & { readonly date: string })[]> =>
  db
    .selectFrom('arrival_counts')
    .select([...COUNT_NAMES, dayText.as('date')])
    .where('user_id', '=', userId)
    .where('day', '>=', sql<Date>`${since}::date`)
    .orderBy('day')
    .execute();

/** Returns the first stored day, or null when there is none. */
export async function findFirstDay(db: Db, userId: string): Promise<string | null> {
  const row = await db
    .selectFrom('arrival_counts')
    .select(dayText.as('date'))
    .where('user_id', '=', userId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst();
  return row?.date ?? null;
}
