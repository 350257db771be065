/**
 * Statements by which a worker claims what is due; what a claim is says [Note: Leases] in store.ts.
 *
 * [Note: Shares of a domain] A destination gets so many connections at one time from all workers together. How many it has is
 * counted from the leases, of which an index knows those that exist alone. A lease that was not renewed in time is a dead worker's
 * and is not counted, long before its mail may be claimed again. Whoever claims for a domain locks it and counts once more: two
 * workers that look at the same moment do not both take the last place.
 *
 * [Note: Used up shares] All that is due first may be for a destination whose share is used up: a hundred thousand letters for
 * hours. So a look reads the first rows that are due and no more. Where all of those are for such destinations it goes from one
 * destination with due mail to the next, which is a step however much waits there (what is not due yet is passed by the index,
 * from PostgreSQL 18 on without reading it), and takes what is due longest of those it came by. It begins anywhere, so that none is always passed over where they are too many.
 */
import { randomBytes } from 'node:crypto';
import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '../../../db/pool.ts';
import type { QueuedRecipient } from './store.ts';

export type ClaimLimits = {
  readonly now: Date;
  readonly leasedUntil: Date;
  readonly maxRecipients: number;
  /** Domains that have their share of connections of this process already. */
  readonly busyDomains: readonly Buffer[];
  /** Deliveries to one domain at one time, of all processes together ([Note: Shares of a domain]). */
  readonly maxPerDomain: number;
  /** Leases that end later than this are counted as deliveries that are under way. */
  readonly aliveUntil: Date;
  /** What this process is delivering now: a clock that jumped must not let it claim its own rows again. */
  readonly running: readonly { readonly messageId: string; readonly domainDigest: Buffer }[];
};

/** Advisory locks of domains, whose second number is the beginning of the digest. */
const DOMAIN_LOCKS = 0x6b66_0003;
/** Rows due first that a look reads, and destinations that it goes by when it can claim none of those. */
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

/** The rows that are due first, by the index of when they are. */
const dueFirst = (limits: ClaimLimits) => sql`
  select domain_digest from outbound_recipients
  where next_attempt_at <= ${limits.now} and (leased_until is null or leased_until <= ${limits.now}) and ${isNotRunning(limits)}
  order by next_attempt_at limit ${FIRST_ROWS}`;

/** From when on a row may be claimed, as the index by destinations has it; without a lease by the attempt alone. */
const FREE_AT = sql<Date>`greatest(next_attempt_at, leased_until)`;

const hasPlace = (limits: ClaimLimits, busy: readonly Buffer[]) => sql<SqlBool>`
  domain_digest <> all(${[...busy]}::bytea[]) and domain_digest not in (
    select domain_digest from outbound_recipients where leased_until > ${limits.aliveUntil}
    group by domain_digest having count(distinct (message_id, leased_until)) >= ${limits.maxPerDomain})`;

/**
 * A queue changes faster than what statistics know of it: where there was nothing a minute ago, reading all that is due and sorting
 * it looks cheap. Where nothing may be sorted there is one index for each statement here.
 */
async function forbidSorting(trx: Trx): Promise<void> {
  await sql`select set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`.execute(
    trx,
  );
}

/** The destination that is due longest, of the first rows alone. */
async function findFirst(trx: Trx, limits: ClaimLimits, busy: readonly Buffer[]): Promise<Buffer | null> {
  const { rows } = await sql<{ domain_digest: Buffer }>`
    select domain_digest from (${dueFirst(limits)}) due_first
    where ${hasPlace(limits, busy)} limit 1`.execute(trx);
  return rows[0]?.domain_digest ?? null;
}

/** A destination with due mail behind the first rows; null also where there are no more than those. */
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

/** Whether a destination has a place left; nobody else claims for it until the transaction ends. */
async function lockShare(trx: Trx, domainDigest: Buffer, limits: ClaimLimits): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${DOMAIN_LOCKS}::int, ${domainDigest.readInt32BE()}::int)`.execute(
    trx,
  );
  const { rows } = await sql<{ underWay: number }>`
    select count(distinct (message_id, leased_until))::int as "underWay" from outbound_recipients
    where domain_digest = ${domainDigest} and leased_until > ${limits.aliveUntil}`.execute(trx);
  return (rows[0]?.underWay ?? 0) < limits.maxPerDomain;
}

/** Claims the message that is due longest at a destination; empty when it has no place left, or others have its rows. */
async function claimAt(trx: Trx, domainDigest: Buffer, limits: ClaimLimits): Promise<QueuedRecipient[]> {
  if (!(await lockShare(trx, domainDigest, limits))) return [];
  const due = trx
    .selectFrom('outbound_recipients')
    .where('domain_digest', '=', domainDigest)
    .where(FREE_AT, '<=', limits.now);
  const group = await due
    .select(['message_id', 'id'])
    .where('message_id', '=', due.select('message_id').where(isNotRunning(limits)).orderBy(FREE_AT).limit(1))
    .orderBy('id')
    .limit(limits.maxRecipients)
    .forUpdate()
    .skipLocked()
    .execute();
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

/** Claims what is due longest, with the other due recipients of the same message and domain; empty when nothing is. */
export async function claimGroup(db: Db, limits: ClaimLimits): Promise<QueuedRecipient[]> {
  const busy = [...limits.busyDomains];
  for (;;) {
    // A transaction for each destination: who held the locks of two could wait for another who does.
    const { domainDigest, rows } = await db.transaction().execute(async trx => {
      await forbidSorting(trx);
      const domainDigest = (await findFirst(trx, limits, busy)) ?? (await findBehind(trx, limits, busy));
      return { domainDigest, rows: domainDigest === null ? [] : await claimAt(trx, domainDigest, limits) };
    });
    if (domainDigest === null || rows.length > 0) return rows;
    busy.push(domainDigest);
  }
}
