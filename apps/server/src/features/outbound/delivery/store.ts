/**
 * Statements on the outbound queue: adding, leases, settling, and its length. Claiming is in claim-store.ts.
 *
 * [Note: Leases] A claimed row carries the time its lease ends, in milliseconds and set by its claimer, of whose clock see
 * [Note: The service's time]. Nobody else may
 * claim it before that time, and its claimer changes it only while the very same time still stands in the row; so that
 * time is also the token that tells a slow worker that another one took over.
 */
import { type Insertable, type Selectable, sql } from 'kysely';
import { HELD_STATUS, isHeld } from '../../../db/holds.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { OutboundMessagesTable, OutboundRecipientsTable } from '../../../db/transfer-tables.ts';

export type QueuedRecipient = Selectable<OutboundRecipientsTable>;

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

/** Whose a message is, and whether it is only sent on; what it says stays where it is. */
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

/** A claim: rows of one message that carry this lease. */
export type Claim = { readonly messageId: string; readonly ids: readonly string[]; readonly lease: Date };

/** Moves a claim's lease on and returns how many rows still had it, or one of `others`. */
export async function renewLease(
  db: Db,
  claim: Claim,
  leasedUntil: Date,
  others: readonly Date[] = [],
): Promise<number> {
  const result = await db
    .updateTable('outbound_recipients')
    .set({ leased_until: leasedUntil })
    .where('message_id', '=', claim.messageId)
    .where('id', 'in', [...claim.ids])
    .where('leased_until', 'in', [claim.lease, ...others])
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Gives claimed rows back as they were; another worker may take them at once. */
export async function releaseLease(db: Db, claim: Claim): Promise<void> {
  await db
    .updateTable('outbound_recipients')
    .set({ leased_until: null })
    .where('message_id', '=', claim.messageId)
    .where('id', 'in', [...claim.ids])
    .where('leased_until', '=', claim.lease)
    .execute();
}

/**
 * Locks a message, so that two settlements of it cannot both believe the other still has recipients, and the rows of a
 * claim that are still the claimer's; returns the ids of those.
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

/** Removes those rows of a claim that are still the claimer's, in one statement: what was delivered is written down. */
export async function deleteDelivered(db: Db, claim: Claim, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('outbound_recipients')
    .where('message_id', '=', claim.messageId)
    .where('id', 'in', [...ids])
    .where('leased_until', '=', claim.lease)
    .execute();
}

/** Removes a message that has no recipients left, under its lock: two settlements of it may end at one time. */
export const deleteFinished = (db: Db, messageId: string): Promise<void> =>
  db.transaction().execute(async trx => {
    await trx.selectFrom('outbound_messages').select('id').where('id', '=', messageId).forUpdate().execute();
    await deleteRecipients(trx, messageId, []);
  });

/** Ends all claims: for a worker that knows that it is the only one, and has just begun. */
export async function endAllClaims(db: Db): Promise<void> {
  await db
    .updateTable('outbound_recipients')
    .set({ leased_until: null })
    .where('leased_until', 'is not', null)
    .execute();
}

/** Why a recipient waits: numbers alone, since a reply's text may quote the letter. */
export type Why = {
  /** SMTP reply code; null when no server answered. */
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

/** RFC 3463 statuses of what is put off by ourselves: no server gave an answer. */
const OWN_STATUS = { failure: '4.3.5', suspended: '4.2.1', held: HELD_STATUS } as const;

/** Puts claimed rows off for a reason of our own, which is not counted as an attempt. */
export async function postponeClaim(
  db: Db,
  claim: Claim,
  nextAttemptAt: Date,
  why: keyof typeof OWN_STATUS,
): Promise<void> {
  await db
    .updateTable('outbound_recipients')
    .set({
      next_attempt_at: nextAttemptAt,
      leased_until: null,
      last_code: null,
      last_status: OWN_STATUS[why],
    })
    .where('message_id', '=', claim.messageId)
    .where('id', 'in', [...claim.ids])
    .where('leased_until', '=', claim.lease)
    .execute();
}

/** Until when at most a row waits that was tried, and one that a hold put off. */
export type LatestWaits = { readonly latest: Date; readonly latestHeld: Date };

/** Lets the time of what waits for too long come now. Claimed rows are left alone. */
export async function bringForward(db: Db, now: Date, { latest, latestHeld }: LatestWaits): Promise<void> {
  await db
    .updateTable('outbound_recipients')
    .set({ next_attempt_at: now })
    .where('next_attempt_at', '>', latest)
    .where(eb => eb.or([eb('next_attempt_at', '>', latestHeld), eb.not(isHeld)]))
    .where('leased_until', 'is', null)
    .execute();
}

/** Removes recipients that need no more tries, and the message with its last one. */
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

/** How many recipients wait, how many of them after an attempt that failed, and since when the oldest does. */
export const measureQueue = (db: Db) =>
  db
    .selectFrom('outbound_recipients')
    .select(eb => [
      eb.fn.countAll<number>().as('length'),
      sql<number>`count(*) filter (where last_status is not null)`.as('deferred'),
      eb.fn.min('created_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow();
