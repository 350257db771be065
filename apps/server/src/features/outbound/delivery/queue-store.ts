/**
 * SQL for operators' view of the outbound queue: what is queued, by domain and state, and retrying
 * or removing rows. Respects the claims of workers: rows in delivery are left alone ([Note: Leases]
 * in db/claim.ts).
 */
import { type SqlBool, sql } from 'kysely';
import { lockRows } from '../../../db/claim.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import { findMessage, type QueuedRecipient, recipientQueue } from './store.ts';

export type QueueState = 'waiting' | 'deferred' | 'delivering';

/** Selects rows: all, those of a domain, or a single one. */
export type QueueTarget = {
  readonly domainDigest?: Buffer;
  readonly row?: { readonly messageId: string; readonly id: string };
};

const stateOf = (now: Date) => sql<QueueState>`case
  when leased_until >= ${now} then 'delivering'
  when last_status is null and attempts = 0 then 'waiting'
  else 'deferred' end`;

const isMeant = ({ domainDigest, row }: QueueTarget) => sql<SqlBool>`
  (${domainDigest ?? null}::bytea is null or domain_digest = ${domainDigest ?? null}::bytea)
  and (${row?.messageId ?? null}::uuid is null or (message_id, id) = (${row?.messageId ?? null}::uuid, ${row?.id ?? null}::uuid))`;

const isFree = (now: Date) => sql<SqlBool>`(leased_until is null or leased_until < ${now})`;

export type QueueRow = Pick<
  QueuedRecipient,
  | 'attempts'
  | 'created_at'
  | 'envelope_sealed'
  | 'id'
  | 'last_code'
  | 'last_status'
  | 'message_id'
  | 'next_attempt_at'
> & { readonly state: QueueState };

/** Returns a page of the queue, oldest first. */
export const listQueue = (
  db: Db | Trx,
  now: Date,
  wish: { readonly target: QueueTarget; readonly state: QueueState | undefined },
  page: { readonly offset: number; readonly limit: number },
): Promise<QueueRow[]> =>
  db
    .selectFrom('outbound_recipients')
    .select(['message_id', 'id', 'envelope_sealed', 'attempts', 'created_at', 'next_attempt_at'])
    .select(['last_code', 'last_status', stateOf(now).as('state')])
    .where(isMeant(wish.target))
    .where(sql<SqlBool>`(${wish.state ?? null}::text is null or ${stateOf(now)} = ${wish.state ?? null})`)
    // Message ids increase with time.
    .orderBy('message_id')
    .orderBy('id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();

/** Returns the number of recipients in each state. */
export const countStates = (db: Db, now: Date): Promise<{ state: QueueState; total: number }[]> =>
  db
    .selectFrom('outbound_recipients')
    .select(eb => [stateOf(now).as('state'), eb.fn.countAll<number>().as('total')])
    .groupBy('state')
    .execute();

export type QueueDomainRow = {
  readonly domain_digest: Buffer;
  readonly recipients: number;
  readonly deferred: number;
  readonly oldest_at: Date;
  readonly next_attempt_at: Date;
  /** A sample row, used to read the domain's name. */
  readonly message_id: string;
  readonly id: string;
  readonly envelope_sealed: Buffer;
};

/** Returns the domains with the most queued recipients. */
export async function listQueueDomains(db: Db, now: Date, limit: number): Promise<QueueDomainRow[]> {
  const { rows } = await sql<QueueDomainRow>`
    select d.*, one.message_id, one.id, one.envelope_sealed from (
      select domain_digest, count(*) as recipients, count(*) filter (where ${stateOf(now)} = 'deferred') as deferred,
        min(created_at) as oldest_at, min(next_attempt_at) as next_attempt_at
      from outbound_recipients group by domain_digest order by recipients desc, domain_digest limit ${limit}
    ) d cross join lateral (
      select message_id, id, envelope_sealed from outbound_recipients r
      where r.domain_digest = d.domain_digest limit 1
    ) one
    order by d.recipients desc, d.domain_digest`.execute(db);
  return rows;
}

/** Makes unclaimed rows due now and returns how many. */
export async function makeDue(trx: Trx, target: QueueTarget, now: Date): Promise<number> {
  const result = await trx
    .updateTable('outbound_recipients')
    .set({ next_attempt_at: now })
    .where(isMeant(target))
    .where(isFree(now))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Returns messages that have unclaimed rows, oldest first. */
export async function findDroppable(
  db: Db,
  target: QueueTarget,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('outbound_recipients')
    .select('message_id')
    .distinct()
    .where(isMeant(target))
    .where(isFree(now))
    .orderBy('message_id')
    .limit(limit)
    .execute();
  return rows.map(row => row.message_id);
}

export async function countMeant(db: Db, target: QueueTarget): Promise<number> {
  const { total } = await db
    .selectFrom('outbound_recipients')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where(isMeant(target))
    .executeTakeFirstOrThrow();
  return total;
}

/**
 * Locks a message and its targeted rows that no worker has claimed. Returns undefined when the
 * message is gone.
 */
export async function lockFree(trx: Trx, messageId: string, target: QueueTarget, now: Date) {
  await trx.selectFrom('outbound_messages').select('id').where('id', '=', messageId).forUpdate().execute();
  const message = await findMessage(trx, messageId);
  if (message === undefined) return undefined;
  const rows = await lockRows(trx, recipientQueue, {
    where: sql<SqlBool>`message_id = ${messageId} and ${isMeant(target)} and ${isFree(now)}`,
    orderBy: 'id',
  });
  return { message, rows };
}
