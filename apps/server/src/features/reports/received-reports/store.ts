/**
 * Statements on what reports of others say, and on complaints about mail of users.
 */
import { sql } from 'kysely';
import type { Db } from '../../../db/pool.ts';
import type { ReceivedReportsTable } from '../../../db/transfer-tables.ts';

export type ReportRow = {
  readonly digest: Buffer;
  readonly reporter: Buffer;
  readonly kind: ReceivedReportsTable['kind'];
  readonly domain: string;
  readonly day: string;
  readonly good: number;
  readonly bad: number;
  readonly received_at: Date;
};

/** Reports that are kept of a day: of one reporter's, and of all. */
export type DailyLimits = { readonly ofOneMax: number; readonly max: number };

/** Keeps what a report says, unless it is known, or as many as may be came within a day before it; whether it was kept. */
export async function insertReport(db: Db, row: ReportRow, limits: DailyLimits): Promise<boolean> {
  const { rows } = await sql`
    insert into received_reports (digest, reporter, kind, domain, day, good, bad, received_at)
    select ${row.digest}, ${row.reporter}, ${row.kind}, ${row.domain}, ${row.day}::date, ${row.good}, ${row.bad}, ${row.received_at}
    where (
      select count(*) < ${limits.max} and count(*) filter (where reporter = ${row.reporter}) < ${limits.ofOneMax}
      from received_reports where received_at > ${row.received_at}::timestamptz - interval '1 day'
    )
    on conflict (digest) do nothing returning 1`.execute(db);
  return rows.length > 0;
}

export type NewComplaint = {
  readonly digest: Buffer;
  readonly audience: Buffer | null;
  readonly reporter: Buffer;
};

/** Keeps a complaint about a mail of a user who is there, once; whether it was kept. */
export async function insertComplaint(
  db: Db,
  userId: string,
  { digest, audience, reporter }: NewComplaint,
  receivedAt: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into complaints (user_id, digest, audience, reporter, received_at)
    select id, ${digest}, ${audience}, ${reporter}, ${receivedAt} from users where id = ${userId}::uuid
    on conflict (user_id, digest) do nothing returning 1`.execute(db);
  return rows.length > 0;
}

/**
 * How many mails of a user were complained of, to how many different sets of domains those went, and how many organisations
 * stand by the complaints.
 */
export type Complaints = { readonly total: number; readonly audiences: number; readonly reporters: number };

export async function countUserComplaints(db: Db, userId: string, since: Date): Promise<Complaints> {
  const { total, audiences, reporters } = await db
    .selectFrom('complaints')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(({ fn }) => fn.count<number>('audience').distinct().as('audiences'))
    .select(({ fn }) => fn.count<number>('reporter').distinct().as('reporters'))
    .where('user_id', '=', userId)
    .where('received_at', '>=', since)
    .executeTakeFirstOrThrow();
  return { total: Number(total), audiences: Number(audiences), reporters: Number(reporters) };
}

export async function sumReports(db: Db, since: Date) {
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
}

export async function sumComplaints(db: Db, since: Date) {
  const { rows } = await sql<{ total: number; senders: number }>`
    select count(*)::int as total, count(distinct user_id)::int as senders
    from complaints where received_at >= ${since}`.execute(db);
  return rows[0] ?? { total: 0, senders: 0 };
}

/** Forgets what came before a time; how many rows. */
export async function deleteReportsBefore(db: Db, before: Date): Promise<number> {
  const reports = await db
    .deleteFrom('received_reports')
    .where('received_at', '<', before)
    .executeTakeFirst();
  const complaints = await db.deleteFrom('complaints').where('received_at', '<', before).executeTakeFirst();
  return Number(reports.numDeletedRows + complaints.numDeletedRows);
}
