/**
 * SQL with which a worker claims due rows. For what a claim is, see [Note: Leases] in
 * db/claim.ts.
 *
 * [Note: Shares of a domain] Each destination has a limit on concurrent connections from all
 * workers together. Its current number is counted from the leases, using an index that contains
 * only leased rows. A lease that was not renewed in time belongs to a dead worker and is not
 * counted, long before its messages may be claimed again. A worker that claims for a domain locks
 * it and counts again, so that two workers that check at the same moment don't both take the last
 * slot.
 *
 * [Note: Used up shares] All the rows that are due first may be for a destination at its limit: a
 * hundred thousand messages, for hours. A claim therefore reads only the first due rows. When all
 * of these are for such destinations, it goes from one destination with due mail to the next, which
 * takes one step regardless of how much is queued there (the index skips rows that are not due yet,
 * since PostgreSQL 18 without reading them). Of the destinations visited, it takes the one that has
 * been due longest. It starts at a random destination, so that none is always skipped when there
 * are too many to visit.
 */
import { randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import { hasNoLease, lockRows } from '../../../db/claim.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { type QueuedRecipient, recipientQueue } from './store.ts';

export type ClaimLimits = {
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly maxRecipients: number;
  /** Domains that already use up this process's share of connections. */
  readonly busyDomains: readonly Buffer[];
  /**
   * Maximum number of concurrent deliveries to one domain, across all processes ([Note: Shares of a
   * domain]).
   */
  readonly maxPerDomain: number;
  /** Leases that end after this time count as deliveries in progress. */
  readonly aliveUntil: Date;
  /**
   * Deliveries in progress in this process. After a clock jump, it must not claim its own rows
   * again.
   */
  readonly running: readonly { readonly messageId: string; readonly domainDigest: Buffer }[];
};

/** Namespace of the per-domain advisory locks. The second key is the start of the digest. */
const DOMAIN_LOCKS = 0x6b66_0003;
/**
 * Maximum number of first due rows that a claim reads, and of destinations it visits when it can
 * claim none of those rows.
 */
const FIRST_ROWS = 100;
const DESTINATIONS = 200;
const DIGEST_BYTES = 32;
const LAST_DIGEST = Buffer.alloc(DIGEST_BYTES, 0xff);

function isNotRunning({ running }: ClaimLimits) {
  const messages = running.map(({ messageId }) => messageId);
  const domains = running.map(({ domainDigest }) => domainDigest);
  return sql<SqlBool>`(message_id, domain_digest) not in (
    select * from unnest(${messages}::uuid[], ${domains}::bytea[]))`;
}

/** The rows that are due first, read through the index on their due time. */
const dueFirst = (limits: ClaimLimits) => sql`
  select domain_digest from outbound_recipients
  where next_attempt_at <= ${limits.now} and ${hasNoLease(limits.now)} and ${isNotRunning(limits)}
  order by next_attempt_at limit ${FIRST_ROWS}`;

/**
 * Time from which a row may be claimed, as in the index by destination; without a lease, the time
 * of the next attempt.
 */
const FREE_AT = sql<Date>`greatest(next_attempt_at, leased_until)`;

const hasPlace = (limits: ClaimLimits, busy: readonly Buffer[]) => sql<SqlBool>`
  domain_digest <> all(${[...busy]}::bytea[]) and domain_digest not in (
    select domain_digest from outbound_recipients where leased_until > ${limits.aliveUntil}
    group by domain_digest having count(distinct (message_id, leased_until)) >= ${limits.maxPerDomain})`;

/**
 * Disables sorting for the transaction. The queue changes faster than its statistics: where it was
 * empty a minute ago, the planner considers it cheap to read and sort everything that is due.
 * Without sorting, each statement here has exactly one index to use.
 */
async function forbidSorting(trx: Trx): Promise<void> {
  await sql`select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`.execute(
    trx,
  );
}

/** Returns the claimable destination that has been due longest, among the first due rows only. */
async function findFirst(trx: Trx, limits: ClaimLimits, busy: readonly Buffer[]): Promise<Buffer | null> {
  const { rows } = await sql<{ domain_digest: Buffer }>`
    select domain_digest from (${dueFirst(limits)}) due_first
    where ${hasPlace(limits, busy)} limit 1`.execute(trx);
  return rows[0]?.domain_digest ?? null;
}

/**
 * Returns a destination with due mail beyond the first due rows, or null when there is none or no
 * more rows than those.
 */
async function findBehind(trx: Trx, limits: ClaimLimits, busy: readonly Buffer[]): Promise<Buffer | null> {
  const start = randomBytes(DIGEST_BYTES);
  const { rows } = await sql<{ domain_digest: Buffer }>`
    with recursive passed (domain_digest, until, free_at) as (
      select domain_digest, until, null::timestamptz
      from (values (${start}::bytea, ${LAST_DIGEST}::bytea), (''::bytea, ${start}::bytea)) span (domain_digest, until)
      where ${FIRST_ROWS} = (select count(*) from (${dueFirst(limits)}) due_first)
      union all
      select next.domain_digest, passed.until, next.free_at
      from passed cross join lateral (
        select domain_digest, ${FREE_AT} as free_at from outbound_recipients
        where domain_digest > passed.domain_digest and domain_digest <= passed.until
          and ${FREE_AT} <= ${limits.now} and ${isNotRunning(limits)}
        order by domain_digest, ${FREE_AT} limit 1
      ) next
    )
    select domain_digest from (select * from passed limit ${DESTINATIONS}) reached
    where free_at is not null and ${hasPlace(limits, busy)}
    order by free_at limit 1`.execute(trx);
  return rows[0]?.domain_digest ?? null;
}

/**
 * Returns whether a destination has a free slot. No other worker can claim for it until the
 * transaction ends.
 */
async function lockShare(trx: Trx, domainDigest: Buffer, limits: ClaimLimits): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${DOMAIN_LOCKS}::int, ${domainDigest.readInt32BE()}::int)`.execute(
    trx,
  );
  const { rows } = await sql<{ underWay: number }>`
    select count(distinct (message_id, leased_until))::int as "underWay" from outbound_recipients
    where domain_digest = ${domainDigest} and leased_until > ${limits.aliveUntil}`.execute(trx);
  return (rows[0]?.underWay ?? 0) < limits.maxPerDomain;
}

/**
 * Claims the message that has been due longest at a destination. Returns an empty list when the
 * destination has no free slot or other workers hold its rows.
 */
async function claimAt(trx: Trx, domainDigest: Buffer, limits: ClaimLimits): Promise<QueuedRecipient[]> {
  if (!(await lockShare(trx, domainDigest, limits))) return [];
  const isDue = sql<SqlBool>`domain_digest = ${domainDigest} and ${FREE_AT} <= ${limits.now}`;
  const group = await lockRows(trx, recipientQueue, {
    where: sql<SqlBool>`${isDue} and message_id = (
      select message_id from outbound_recipients where ${isDue} and ${isNotRunning(limits)}
      order by ${FREE_AT} limit 1)`,
    orderBy: 'id',
    limit: limits.maxRecipients,
  });
  const [first] = group;
  if (first === undefined) return [];
  return trx
    .updateTable('outbound_recipients')
    .set({ leased_until: limits.leasedUntil })
    .where('message_id', '=', first.message_id)
    .where(
      'id',
      'in',
      group.map(({ id }) => id),
    )
    .returningAll()
    .execute();
}

/**
 * Claims the recipient that has been due longest together with the other due recipients of the same
 * message and domain. Returns an empty list when nothing is due.
 */
export async function claimGroup(db: Db, limits: ClaimLimits): Promise<QueuedRecipient[]> {
  const busy = [...limits.busyDomains];
  for (;;) {
    // One transaction per destination: workers that hold the locks of two destinations could
    // deadlock.
    const { domainDigest, rows } = await db.transaction().execute(async trx => {
      await forbidSorting(trx);
      const domainDigest = (await findFirst(trx, limits, busy)) ?? (await findBehind(trx, limits, busy));
      return { domainDigest, rows: domainDigest === null ? [] : await claimAt(trx, domainDigest, limits) };
    });
    if (domainDigest === null || rows.length > 0) return rows;
    busy.push(domainDigest);
  }
}
