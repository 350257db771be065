/** Statements on reports of other servers, and on complaints about users' mail. */
import { sql } from 'kysely';
import { RECEIVED_REPORTS_KEPT_MS, RECEIVED_REPORTS_SHOWN_MS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
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

/** Maximum number of reports per day: of one reporter, and in total. */
export type DailyLimits = { readonly ofOneMax: number; readonly max: number };

/**
 * Inserts a report, unless it is a duplicate or the limits of the preceding day are reached;
 * returns whether it did.
 */
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

/** Inserts a complaint once, if the user exists; returns whether it did. */
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
 * Number of a user's messages with complaints, of the sets of domains they were sent to, and of
 * complaining organizations.
 */
export type Complaints = { readonly total: number; readonly audiences: number; readonly reporters: number };

/** Counts complaints about a user's messages, for the limits on sending. */
export async function countComplaints(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  since: Date,
): Promise<Complaints> {
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

async function sumReports(db: Db, since: Date) {
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

async function sumComplaints(db: Db, since: Date) {
  const { rows } = await sql<{ total: number; senders: number }>`
    select count(*)::int as total, count(distinct user_id)::int as senders
    from complaints where received_at >= ${since}`.execute(db);
  return rows[0] ?? { total: 0, senders: 0 };
}

/** Totals of the reports and complaints of recent weeks. */
export async function viewReceivedReports({ clock, db }: Pick<Deps, 'clock' | 'db'>) {
  const since = new Date(clock.now().getTime() - RECEIVED_REPORTS_SHOWN_MS);
  return { domains: await sumReports(db, since), complaints: await sumComplaints(db, since) };
}

/** Deletes expired reports and complaints; returns the number of rows. */
export async function forgetReceivedReports({ clock, db }: Pick<Deps, 'clock' | 'db'>): Promise<number> {
  const before = new Date(clock.now().getTime() - RECEIVED_REPORTS_KEPT_MS);
  const reports = await db
    .deleteFrom('received_reports')
    .where('received_at', '<', before)
    .executeTakeFirst();
  const complaints = await db.deleteFrom('complaints').where('received_at', '<', before).executeTakeFirst();
  return Number(reports.numDeletedRows + complaints.numDeletedRows);
}
