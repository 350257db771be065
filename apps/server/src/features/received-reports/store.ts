/**
 * Statements on what reports of others say, and on complaints about mail of users.
 */
import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import type { ReceivedReportsTable } from '../../db/transfer-tables.ts';

export type ReportRow = {
  readonly digest: Buffer;
  readonly kind: ReceivedReportsTable['kind'];
  readonly domain: string;
  readonly day: string;
  readonly good: number;
  readonly bad: number;
  readonly received_at: Date;
};

/** Keeps what a report says, unless it is known, or `perDayMax` came within a day before it; whether it was kept. */
export const insertReport = async (db: Db, row: ReportRow, perDayMax: number): Promise<boolean> => {
  const { rows } = await sql`
    insert into received_reports (digest, kind, domain, day, good, bad, received_at)
    select ${row.digest}, ${row.kind}, ${row.domain}, ${row.day}::date, ${row.good}, ${row.bad}, ${row.received_at}
    where (
      select count(*) from received_reports
      where received_at > ${row.received_at}::timestamptz - interval '1 day'
    ) < ${perDayMax}
    on conflict (digest) do nothing returning 1`.execute(db);
  return rows.length > 0;
};

/** Keeps a complaint about a mail of a user who is there, once; whether it was kept. */
export const insertComplaint = async (
  db: Db,
  userId: string,
  digest: Buffer,
  receivedAt: Date,
): Promise<boolean> => {
  const { rows } = await sql`
    insert into complaints (user_id, digest, received_at)
    select id, ${digest}, ${receivedAt} from users where id = ${userId}::uuid
    on conflict (user_id, digest) do nothing returning 1`.execute(db);
  return rows.length > 0;
};

export const countUserComplaints = async (db: Db, userId: string, since: Date): Promise<number> => {
  const { total } = await db
    .selectFrom('complaints')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .where('received_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(total);
};

export const sumReports = async (db: Db, since: Date) => {
  const { rows } = await sql<{
    kind: ReceivedReportsTable['kind'];
    domain: string;
    reports: number;
    good: number;
    bad: number;
    last_day: string;
  }>`
    select kind, domain, count(*)::int as reports, sum(good)::float8 as good, sum(bad)::float8 as bad,
      max(day)::text as last_day
    from received_reports where received_at >= ${since}
    group by kind, domain order by domain, kind`.execute(db);
  return rows;
};

export const sumComplaints = async (db: Db, since: Date) => {
  const { rows } = await sql<{ total: number; senders: number }>`
    select count(*)::int as total, count(distinct user_id)::int as senders
    from complaints where received_at >= ${since}`.execute(db);
  return rows[0] ?? { total: 0, senders: 0 };
};

/** Forgets what came before a time; how many rows. */
export const deleteReportsBefore = async (db: Db, before: Date): Promise<number> => {
  const reports = await db
    .deleteFrom('received_reports')
    .where('received_at', '<', before)
    .executeTakeFirst();
  const complaints = await db.deleteFrom('complaints').where('received_at', '<', before).executeTakeFirst();
  return Number(reports.numDeletedRows + complaints.numDeletedRows);
};
