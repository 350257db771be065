/**
 * Statements on the counts for reports: incrementing them, claiming those due for one domain and
 * day, and deleting them.
 */
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';
import type { ReportCountsTable } from '../../../db/transfer-tables.ts';

export type ReportKind = ReportCountsTable['kind'];

export async function addCount(db: Db, row: Insertable<ReportCountsTable>): Promise<void> {
  await db
    .insertInto('report_counts')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['kind', 'day', 'domain_digest', 'entry_digest'])
        .doUpdateSet({ count: sql`report_counts.count + excluded.count` }),
    )
    .execute();
}

export type CountRow = {
  readonly kind: ReportKind;
  readonly day: string;
  readonly domain_digest: Buffer;
  readonly entry_digest: Buffer;
  readonly entry_sealed: Buffer;
  readonly count: number;
};

/** Id of the lock that lets one machine at a time search for due counts. */
const CLAIM_LOCK = 5_701;

/**
 * Claims all due counts of one domain and day until `nextTryAt`; returns an empty list when none
 * are due.
 */
export const claimCounts = (
  db: Db,
  kind: ReportKind,
  now: Date,
  nextTryAt: Date,
): Promise<readonly CountRow[]> =>
  db.transaction().execute(async trx => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
    const { rows } = await sql<CountRow>`
      with one as (
        select day, domain_digest from report_counts where kind = ${kind} and next_try_at <= ${now}
        order by next_try_at limit 1
      )
      update report_counts r set next_try_at = ${nextTryAt} from one
      where r.kind = ${kind} and r.day = one.day and r.domain_digest = one.domain_digest
      returning r.kind, r.day::text as day, r.domain_digest, r.entry_digest, r.entry_sealed, r.count`.execute(
      trx,
    );
    return rows;
  });

export async function deleteCounts(
  db: Db,
  { kind, day, domain_digest }: Pick<CountRow, 'day' | 'domain_digest' | 'kind'>,
): Promise<void> {
  await db
    .deleteFrom('report_counts')
    .where('kind', '=', kind)
    .where('day', '=', day)
    .where('domain_digest', '=', domain_digest)
    .execute();
}

/** Deletes counts that could not be reported in time. */
export async function deleteCountsBefore(db: Db, kind: ReportKind, day: string): Promise<void> {
  await db.deleteFrom('report_counts').where('kind', '=', kind).where('day', '<', day).execute();
}
