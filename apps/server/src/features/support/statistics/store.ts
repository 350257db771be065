/**
 * Statements on the counters ([Note: Counters without locks] in db/migrations/0034-statistics.ts).
 */
import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';

/** The sum of folded and unfolded counts, by kind and bucket. */
const counts = sql`
  select kind, bucket, sum(amount)::bigint as total from (
    select kind, bucket, total as amount from stat_totals
    union all select kind, bucket, amount from stat_changes
  ) as counted group by kind, bucket`;

export type Count = { readonly kind: string; readonly total: number };

/** Returns every count by kind, excluding what happened before the given hour, day and month. */
export async function readCounts(
  db: Db | Trx,
  since: { readonly hour: number; readonly day: number; readonly month: number },
): Promise<readonly Count[]> {
  const { rows } = await sql<Count>`
    with counts as (
      select kind, bucket, amount from (
        select kind, bucket, total as amount from stat_totals
        union all select kind, bucket, amount from stat_changes
      ) as counted
    )
    select kind, sum(amount)::bigint as total from counts
    where not (kind like 'seen:%' and bucket < ${since.hour}::bigint)
      and not (kind = 'joined' and bucket < ${since.day}::bigint)
    group by kind
    union all
    select 'sent this month', coalesce(sum(amount), 0)::bigint from counts
    where kind = 'sent' and bucket = ${since.month}::bigint`.execute(db);
  return rows;
}

/**
 * Returns the day (days since 1970) of the account at a position of the list by age, and how many
 * accounts are younger.
 */
export async function findDayOf(
  db: Db | Trx,
  place: number,
): Promise<{ readonly day: number; readonly younger: number } | undefined> {
  const { rows } = await sql<{ day: number; younger: number }>`
    with counts as (${counts}),
    running as (
      select bucket as day, total, sum(total) over (order by bucket desc)::bigint as upto
      from counts where kind = 'joined' and total > 0
    )
    select day, upto - total as younger from running where upto > ${place}::bigint order by day desc limit 1`.execute(
    db,
  );
  return rows[0];
}

export async function countUsers(db: Db | Trx): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with counts as (${counts})
    select coalesce(sum(total), 0)::bigint as total from counts where kind like 'plan:%'`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function insertSent(trx: Trx, userId: string, month: number): Promise<void> {
  await trx
    .updateTable('mailboxes')
    .set(eb => ({ sent_emails: eb('sent_emails', '+', 1) }))
    .where('user_id', '=', userId)
    .execute();
  await trx.insertInto('stat_changes').values({ kind: 'sent', bucket: month, amount: 1 }).execute();
}

/**
 * Folds the accumulated changes; returns the number of rows. Concurrent runs fold different rows.
 */
export async function foldChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with gathered as (delete from stat_changes returning kind, bucket, amount),
    sums as (
      select kind, bucket, sum(amount)::bigint as amount from gathered group by kind, bucket order by kind, bucket
    ),
    kept as (
      insert into stat_totals (kind, bucket, total) select kind, bucket, amount from sums where amount <> 0
      on conflict (kind, bucket) do update set total = stat_totals.total + excluded.total
    )
    select count(*)::int as folded from gathered`.execute(db);
  await db.deleteFrom('stat_totals').where('total', '=', 0).execute();
  return rows[0]?.folded ?? 0;
}
