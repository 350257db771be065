/** SQL for watching external mail: recipient digests, hourly counts, holds. */
import { sql } from 'kysely';
import { isHeld } from '../../../db/holds.ts';
import type { Db, Trx } from '../../../db/pool.ts';
import type { HoldReason } from '../../../db/transfer-tables.ts';

/** Records recipients that the user has not written to before. */
export async function insertRecipients(
  trx: Trx,
  userId: string,
  digests: readonly Buffer[],
  now: Date,
): Promise<void> {
  await trx
    .insertInto('outside_recipients')
    .values(digests.map(digest => ({ user_id: userId, digest, first_at: now })))
    .onConflict(conflict => conflict.columns(['user_id', 'digest']).doNothing())
    .execute();
}

/** Returns the number of recipients first written to since the given time. */
export async function countStrangers(db: Db | Trx, userId: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom('outside_recipients')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .where('first_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

export type Counts = { readonly tried: number; readonly refused: number; readonly suspicious: number };

/** Adds to the counts of an hour. */
export async function addCounts(trx: Trx, userId: string, hour: Date, counts: Counts): Promise<void> {
  await sql`
    insert into outside_counts (user_id, hour, tried, refused, suspicious)
    values (${userId}::uuid, ${hour}, ${counts.tried}, ${counts.refused}, ${counts.suspicious})
    on conflict (user_id, hour) do update set
      tried = outside_counts.tried + excluded.tried,
      refused = outside_counts.refused + excluded.refused,
      suspicious = outside_counts.suspicious + excluded.suspicious`.execute(trx);
}

/** Returns the sum of all hourly counts since the given time. */
export async function sumCounts(db: Db | Trx, userId: string, since: Date): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select coalesce(sum(tried), 0)::int as tried, coalesce(sum(refused), 0)::int as refused,
      coalesce(sum(suspicious), 0)::int as suspicious
    from outside_counts where user_id = ${userId}::uuid and hour >= ${since}`.execute(db);
  return rows[0] ?? { tried: 0, refused: 0, suspicious: 0 };
}

/** Returns a user's plan and the time at which the account was created. */
export const findSender = (trx: Trx, userId: string) =>
  trx.selectFrom('users').select(['plan', 'created_at']).where('id', '=', userId).executeTakeFirst();

export const findHold = (db: Db | Trx, userId: string) =>
  db
    .selectFrom('send_holds')
    .select(['held_until', 'strikes', 'reason', 'told_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();

/**
 * Returns the end of a user's hold, after waiting for concurrent changes. It stays unchanged until
 * the caller's transaction ends.
 */
export const lockHold = (trx: Trx, userId: string) =>
  trx
    .selectFrom('send_holds')
    .select('held_until')
    .where('user_id', '=', userId)
    .forShare()
    .executeTakeFirst();

export async function saveHold(
  trx: Trx,
  userId: string,
  hold: { readonly reason: HoldReason; readonly heldUntil: Date; readonly strikes: number },
): Promise<void> {
  const values = {
    reason: hold.reason,
    held_until: hold.heldUntil,
    strikes: hold.strikes,
    told_at: null,
  };
  await trx
    .insertInto('send_holds')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values))
    .execute();
}

/** Ends a hold. Returns whether there was one. */
export async function endHold(trx: Trx, userId: string, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable('send_holds')
    .set({ held_until: now })
    .where('user_id', '=', userId)
    .where('held_until', '>', now)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Makes queued mail that waits for the end of a hold due now. */
export async function makeDue(trx: Trx, userId: string, now: Date): Promise<void> {
  await trx
    .updateTable('outbound_recipients')
    .set({ next_attempt_at: now })
    .where('message_id', 'in', eb =>
      eb.selectFrom('outbound_messages').select('id').where('user_id', '=', userId),
    )
    .where('leased_until', 'is', null)
    .where(isHeld)
    .execute();
}

/** Returns the number of queued recipients that wait for the end of a hold. */
export async function countWaiting(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('outbound_recipients')
    .innerJoin('outbound_messages', 'outbound_messages.id', 'outbound_recipients.message_id')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('outbound_messages.user_id', '=', userId)
    .where(isHeld)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** Returns the users with a hold for which no notices were sent. */
export async function findUntold(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('send_holds')
    .select('user_id')
    .where('told_at', 'is', null)
    .limit(100)
    .execute();
  return rows.map(row => row.user_id);
}

/** Claims sending the notices about a hold. Returns false when they were already sent. */
export async function markTold(trx: Trx, userId: string, now: Date): Promise<boolean> {
  const result = await trx
    .updateTable('send_holds')
    .set({ told_at: now })
    .where('user_id', '=', userId)
    .where('told_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Returns the super admins with an active account. */
export async function findSupers(trx: Trx): Promise<string[]> {
  const rows = await trx
    .selectFrom('users')
    .select('id')
    .where('admin_level', '=', 'super')
    .where('status', '=', 'active')
    .execute();
  return rows.map(row => row.id);
}

/** Returns the number of users whose mail is held now. */
export async function countHolds(db: Db, now: Date): Promise<number> {
  const row = await db
    .selectFrom('send_holds')
    .select(eb => eb.fn.countAll<number>().as('total'))
    .where('held_until', '>', now)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}
