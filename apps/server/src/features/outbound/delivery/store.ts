/**
 * SQL for the outbound queue: adding, leases ([Note: Leases] in db/claim.ts), settling, and length.
 * Claiming is in claim-store.ts.
 */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import { changeHeld, deleteHeld, sharedQueue } from '../../../db/claim.ts';
import { HELD_STATUS, isHeld } from '../../../db/holds.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { OutboundMessagesTable, OutboundRecipientsTable } from '../../../db/transfer-tables.ts';

export type QueuedRecipient = Selectable<OutboundRecipientsTable>;

export const recipientQueue = sharedQueue('outbound_recipients', ['message_id', 'id']);

export async function insertOutbound(
  trx: Trx,
  message: Insertable<OutboundMessagesTable>,
  recipients: readonly Insertable<OutboundRecipientsTable>[],
): Promise<void> {
  await trx.insertInto('outbound_messages').values(message).execute();
  await trx
    .insertInto('outbound_recipients')
    .values([...recipients])
    .execute();
}

/** Returns the owner of a message and whether it is a forward, without reading its content. */
export async function findMessageOwner(
  db: Db,
  id: string,
): Promise<{ readonly userId: string; readonly isForward: boolean } | null> {
  const row = await db
    .selectFrom('outbound_messages')
    .select(['user_id as userId', 'is_forward as isForward'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export const findMessage = (
  db: Db | Trx,
  id: string,
): Promise<Selectable<OutboundMessagesTable> | undefined> =>
  db.selectFrom('outbound_messages').selectAll().where('id', '=', id).executeTakeFirst();

/** A claim: the rows of one message that carry this lease. */
export type Claim = { readonly messageId: string; readonly ids: readonly string[]; readonly lease: Date };

const heldBy = ({ messageId, ids, lease }: Claim, others: readonly Date[] = []) => ({
  where: sql<SqlBool>`message_id = ${messageId} and id in (${sql.join(ids)})`,
  lease: [lease, ...others],
});

/**
 * Extends a claim's lease. Returns the number of rows that still carried it, or one of `others`.
 */
export const renewLease = (
  db: Db,
  claim: Claim,
  leasedUntil: Date,
  others: readonly Date[] = [],
): Promise<number> => changeHeld(db, recipientQueue, heldBy(claim, others), { leased_until: leasedUntil });

/** Releases claimed rows unchanged. Another worker may claim them immediately. */
export async function releaseLease(db: Db, claim: Claim): Promise<void> {
  await changeHeld(db, recipientQueue, heldBy(claim), { leased_until: null });
}

/**
 * Locks a message, so that two concurrent settlements cannot each assume that the other one still
 * has recipients, and locks the rows that still belong to the claim. Returns the ids of those rows.
 */
export async function lockClaim(trx: Trx, claim: Claim): Promise<Set<string>> {
  await trx
    .selectFrom('outbound_messages')
    .select('id')
    .where('id', '=', claim.messageId)
    .forUpdate()
    .execute();
  const rows = await trx
    .selectFrom('outbound_recipients')
    .select('id')
    .where('message_id', '=', claim.messageId)
    .where('id', 'in', [...claim.ids])
    .where('leased_until', '=', claim.lease)
    .orderBy('id')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Deletes the rows that still belong to the claim, in one statement. This records their delivery.
 */
export async function deleteDelivered(db: Db, claim: Claim, ids: readonly string[]): Promise<void> {
  await deleteHeld(db, recipientQueue, heldBy({ ...claim, ids }));
}

/**
 * Deletes a message that has no recipients left, under its lock, because two of its settlements may
 * end at the same time.
 */
export const deleteFinished = (db: Db, messageId: string): Promise<void> =>
  db.transaction().execute(async trx => {
    await trx.selectFrom('outbound_messages').select('id').where('id', '=', messageId).forUpdate().execute();
    await deleteRecipients(trx, messageId, []);
  });

/** Ends all claims. Only for a worker that has just started and knows it is the only one. */
export async function endAllClaims(db: Db): Promise<void> {
  await db
    .updateTable('outbound_recipients')
    .set({ leased_until: null })
    .where('leased_until', 'is not', null)
    .execute();
}

/** Reason why a recipient is deferred. Codes only, because a reply's text may quote the message. */
export type Why = {
  /** SMTP reply code, or null when no server answered. */
  readonly replyCode: number | null;
  /** RFC 3463 status. */
  readonly status: string;
};

export async function deferRecipient(
  trx: Trx,
  row: { readonly messageId: string; readonly id: string },
  attempts: number,
  nextAttemptAt: Date,
  why: Why,
): Promise<void> {
  await trx
    .updateTable('outbound_recipients')
    .set({
      attempts,
      next_attempt_at: nextAttemptAt,
      leased_until: null,
      last_code: why.replyCode,
      last_status: why.status,
    })
    .where('message_id', '=', row.messageId)
    .where('id', '=', row.id)
    .execute();
}

/** RFC 3463 statuses for postponements that we decide ourselves, without any server's reply. */
const OWN_STATUS = { failure: '4.3.5', suspended: '4.2.1', held: HELD_STATUS } as const;

/** Postpones claimed rows for an internal reason. This does not count as an attempt. */
export async function postponeClaim(
  db: Db,
  claim: Claim,
  nextAttemptAt: Date,
  why: keyof typeof OWN_STATUS,
): Promise<void> {
  await changeHeld(db, recipientQueue, heldBy(claim), {
    next_attempt_at: nextAttemptAt,
    leased_until: null,
    last_code: null,
    last_status: OWN_STATUS[why],
  });
}

/**
 * Latest plausible time of the next attempt, for rows that were tried and for rows that a hold
 * postponed.
 */
export type LatestWaits = { readonly latest: Date; readonly latestHeld: Date };

/** Makes rows with excessive waits due now. Leaves claimed rows alone. */
export async function bringForward(db: Db, now: Date, { latest, latestHeld }: LatestWaits): Promise<void> {
  await db
    .updateTable('outbound_recipients')
    .set({ next_attempt_at: now })
    .where('next_attempt_at', '>', latest)
    .where(eb => eb.or([eb('next_attempt_at', '>', latestHeld), eb.not(isHeld)]))
    .where('leased_until', 'is', null)
    .execute();
}

/** Deletes recipients that need no further attempts, and the message with its last recipient. */
export async function deleteRecipients(trx: Trx, messageId: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) {
    await trx
      .deleteFrom('outbound_recipients')
      .where('message_id', '=', messageId)
      .where('id', 'in', [...ids])
      .execute();
  }
  await trx
    .deleteFrom('outbound_messages')
    .where('id', '=', messageId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('outbound_recipients').select('id').where('message_id', '=', messageId))),
    )
    .execute();
}

/**
 * Returns the number of queued recipients, how many of them failed at least once, and since when
 * the oldest has been queued.
 */
export const measureQueue = (db: Db) =>
  db
    .selectFrom('outbound_recipients')
    .select(eb => [
      eb.fn.countAll<number>().as('length'),
      sql<number>`count(*) filter (where last_status is not null)`.as('deferred'),
      eb.fn.min('created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow();
