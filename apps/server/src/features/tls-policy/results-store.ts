/**
 * Statements on counted TLS results: counting, claiming those of one domain and day, and forgetting.
 */
import { type Insertable, sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { TlsResultsTable } from '../../db/transfer-tables.ts';

export const addTlsResult = async (db: Db, row: Insertable<TlsResultsTable>): Promise<void> => {
  await db
    .insertInto('tls_results')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['day', 'domain_digest', 'result_digest'])
        .doUpdateSet({ sessions: sql`tls_results.sessions + 1` }),
    )
    .execute();
};

export type TlsResultRow = {
  readonly day: string;
  readonly domain_digest: Buffer;
  readonly result_digest: Buffer;
  readonly result_sealed: Buffer;
  readonly sessions: number;
};

/** Of the lock that lets one machine at a time look for what is due. */
const CLAIM_LOCK = 5_701;

/** Claims all results of one domain and day that are due, until `nextTryAt`; empty when nothing is. */
export const claimTlsResults = (db: Db, now: Date, nextTryAt: Date): Promise<readonly TlsResultRow[]> =>
  db.transaction().execute(async trx => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(trx);
    const { rows } = await sql<TlsResultRow>`
      with one as (
        select day, domain_digest from tls_results where next_try_at <= ${now} order by next_try_at limit 1
      )
      update tls_results r set next_try_at = ${nextTryAt} from one
      where r.day = one.day and r.domain_digest = one.domain_digest
      returning r.day::text as day, r.domain_digest, r.result_digest, r.result_sealed, r.sessions`.execute(
      trx,
    );
    return rows;
  });

/** Forgets the results of a domain and day. */
export const deleteTlsResults = async (
  db: Db,
  { day, domain_digest }: Pick<TlsResultRow, 'day' | 'domain_digest'>,
): Promise<void> => {
  await db
    .deleteFrom('tls_results')
    .where('day', '=', day)
    .where('domain_digest', '=', domain_digest)
    .execute();
};

/** Forgets what nobody could be told in time. */
export const deleteTlsResultsBefore = async (db: Db, day: string): Promise<void> => {
  await db.deleteFrom('tls_results').where('day', '<', day).execute();
};
