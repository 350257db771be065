/**
 * SQL for billing: which user is which Stripe customer, the last known subscription state, and
 * received events.
 */
import { randomUUID } from 'node:crypto';
import type { Plan } from '@keyfold/contract/plans';
import { type Selectable, type SqlBool, sql } from 'kysely';
import type { BillingTables } from '../../../db/billing-tables.ts';
import { claimRows, sharedQueue } from '../../../db/claim.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type AccountRow = Selectable<BillingTables['billing_accounts']>;

/** Subscription state as read from Stripe: the active subscription, or none. */
export type Seen = Pick<
  AccountRow,
  'subscription_id' | 'plan' | 'period' | 'is_late' | 'period_ends_at' | 'ends_at'
>;

export const findAccount = (db: Db | Trx, userId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('billing_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** Returns the user's current plan, or undefined when there is no such user. */
export async function findPlan(db: Db | Trx, userId: string): Promise<Plan | undefined> {
  const row = await db.selectFrom('users').select('plan').where('id', '=', userId).executeTakeFirst();
  return row?.plan;
}

/**
 * Acquires the user's billing lock until the given time and creates the billing account on first
 * use. Returns undefined while another request holds the lock.
 */
export async function takeTurn(
  db: Db,
  userId: string,
  now: Date,
  until: Date,
): Promise<AccountRow | undefined> {
  await db
    .insertInto('billing_accounts')
    .values({ user_id: userId, customer_key: randomUUID() })
    .onConflict(conflict => conflict.column('user_id').doNothing())
    .execute();
  return db
    .updateTable('billing_accounts')
    .set({ busy_until: until })
    .where('user_id', '=', userId)
    .where(eb => eb.or([eb('busy_until', 'is', null), eb('busy_until', '<=', now)]))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Extends a billing lock that expires at `from` to another time, or releases it when `until` is
 * null. Returns false when another request has taken the lock.
 */
export async function moveTurn(db: Db, userId: string, from: Date, until: Date | null): Promise<boolean> {
  const rows = await db
    .updateTable('billing_accounts')
    .set({ busy_until: until })
    .where('user_id', '=', userId)
    .where('busy_until', '=', from)
    .returning('user_id')
    .execute();
  return rows.length > 0;
}

/** Stores the Stripe customer id. Returns false when the account was closed in the meantime. */
export async function setCustomer(db: Db, userId: string, customerId: string): Promise<boolean> {
  const rows = await db
    .updateTable('billing_accounts')
    .set({ customer_id: customerId })
    .where('user_id', '=', userId)
    .returning('user_id')
    .execute();
  return rows.length > 0;
}

/**
 * Clears a customer that was deleted at Stripe. The new key ensures that the next customer is a
 * different one.
 */
export async function forgetCustomer(trx: Trx, userId: string, customerId: string): Promise<void> {
  await trx
    .updateTable('billing_accounts')
    .set({ customer_id: null, customer_key: randomUUID() })
    .where('user_id', '=', userId)
    .where('customer_id', '=', customerId)
    .execute();
}

export async function noteAsked(db: Db, userId: string, now: Date): Promise<void> {
  await db.updateTable('billing_accounts').set({ asked_at: now }).where('user_id', '=', userId).execute();
}

/**
 * Starts a check of a customer: increments the ticket and returns the account with the previously
 * seen state. Returns undefined when no account has this customer.
 */
export const takeTicket = (db: Db, customerId: string): Promise<AccountRow | undefined> =>
  db
    .updateTable('billing_accounts')
    .set(eb => ({ ticket: eb('ticket', '+', 1) }))
    .where('customer_id', '=', customerId)
    .returningAll()
    .executeTakeFirst();

export const lockAccount = (trx: Trx, userId: string): Promise<AccountRow | undefined> =>
  trx.selectFrom('billing_accounts').selectAll().where('user_id', '=', userId).forUpdate().executeTakeFirst();

export async function saveSeen(
  trx: Trx,
  userId: string,
  look: { readonly ticket: number; readonly seen: Seen; readonly now: Date },
): Promise<void> {
  await trx
    .updateTable('billing_accounts')
    .set({ ...look.seen, seen_ticket: look.ticket, looked_at: look.now })
    .where('user_id', '=', userId)
    .execute();
}

export const hasEvent = async (db: Db, eventId: string): Promise<boolean> =>
  (await db
    .selectFrom('billing_events')
    .select('event_id')
    .where('event_id', '=', eventId)
    .executeTakeFirst()) !== undefined;

export async function insertEvent(trx: Db | Trx, eventId: string, now: Date): Promise<void> {
  await trx
    .insertInto('billing_events')
    .values({ event_id: eventId, received_at: now })
    .onConflict(conflict => conflict.column('event_id').doNothing())
    .execute();
}

/**
 * Returns a page of customers, in user order, who pay or recently opened a checkout page and whose
 * subscription has not been checked since `lookedBefore` or since that page was opened.
 */
export const listUnseen = (
  db: Db,
  page: {
    readonly after: string;
    readonly lookedBefore: Date;
    readonly askedSince: Date;
    readonly count: number;
  },
): Promise<{ user_id: string; customer_id: string | null }[]> =>
  db
    .selectFrom('billing_accounts')
    .select(['user_id', 'customer_id'])
    .where('user_id', '>', page.after)
    .where('customer_id', 'is not', null)
    .where(eb => eb.or([eb('subscription_id', 'is not', null), eb('asked_at', '>', page.askedSince)]))
    .where(eb =>
      eb.or([
        eb('looked_at', 'is', null),
        eb('looked_at', '<=', page.lookedBefore),
        eb('looked_at', '<=', eb.ref('asked_at')),
      ]),
    )
    .orderBy('user_id')
    .limit(page.count)
    .execute();

/**
 * Deletes the billing account of a user whose account is closing and queues the customer for
 * deletion at Stripe.
 */
export async function moveToClosings(trx: Trx, userId: string, now: Date): Promise<void> {
  await sql`
    with gone as (delete from billing_accounts where user_id = ${userId}::uuid returning customer_id)
    insert into billing_closings (customer_id, next_attempt_at)
    select customer_id, ${now} from gone where customer_id is not null
    on conflict (customer_id) do nothing`.execute(trx);
}

export async function insertClosing(db: Db, customerId: string, now: Date): Promise<void> {
  await db
    .insertInto('billing_closings')
    .values({ customer_id: customerId, next_attempt_at: now })
    .onConflict(conflict => conflict.column('customer_id').doNothing())
    .execute();
}

const closingQueue = sharedQueue('billing_closings', ['customer_id']);

/**
 * Claims a customer that is due for deletion. It is due again later unless it is removed first:
 * after `firstMs`, and twice as long with each attempt up to `longestMs`.
 */
export async function takeClosing(
  db: Db,
  now: Date,
  { firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number },
): Promise<string | null> {
  const [taken] = await claimRows(db, closingQueue, {
    where: sql<SqlBool>`next_attempt_at <= ${now}`,
    orderBy: 'next_attempt_at',
    limit: 1,
    set: {
      attempts: sql`attempts + 1`,
      next_attempt_at: sql`${now}::timestamptz + interval '1 ms'
        * least(${firstMs}::float8 * 2 ^ least(attempts, 20), ${longestMs}::float8)`,
    },
  });
  return taken?.customer_id ?? null;
}

export async function removeClosing(db: Db, customerId: string): Promise<void> {
  await db.deleteFrom('billing_closings').where('customer_id', '=', customerId).execute();
}
