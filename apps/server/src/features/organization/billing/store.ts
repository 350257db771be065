/**
 * Statements on who is which customer, what was seen of their subscriptions, and which events came.
 */
import { randomUUID } from 'node:crypto';
import type { Plan } from '@keyfold/contract/limits';
import { type Selectable, sql } from 'kysely';
import type { BillingTables } from '../../../db/billing-tables.ts';
import type { Db, Trx } from '../../../db/pool.ts';

export type AccountRow = Selectable<BillingTables['billing_accounts']>;

/** What a look at Stripe found: the subscription in force, or none. */
export type Seen = Pick<
  AccountRow,
  'subscription_id' | 'plan' | 'period' | 'is_late' | 'period_ends_at' | 'ends_at'
>;

export const findAccount = (db: Db | Trx, userId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('billing_accounts').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** The plan in force; undefined when there is no such user. */
export async function findPlan(db: Db | Trx, userId: string): Promise<Plan | undefined> {
  const row = await db.selectFrom('users').select('plan').where('id', '=', userId).executeTakeFirst();
  return row?.plan;
}

/** Takes the turn of a user until a time, and makes the account at the first one; undefined while another has it. */
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

/** Lets a turn that ends at `from` last until another time, or ends it with null; false when another has taken it over. */
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

/** Notes the customer; false when the account was closed meanwhile. */
export async function setCustomer(db: Db, userId: string, customerId: string): Promise<boolean> {
  const rows = await db
    .updateTable('billing_accounts')
    .set({ customer_id: customerId })
    .where('user_id', '=', userId)
    .returning('user_id')
    .execute();
  return rows.length > 0;
}

/** Forgets a customer that was deleted at Stripe: the next one is another. */
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

/** Begins a look at a customer: whose it is, its number, and what was seen before; undefined for nobody's customer. */
export const takeTicket = (db: Db, customerId: string): Promise<AccountRow | undefined> =>
  db
    .updateTable('billing_accounts')
    .set(eb => ({ ticket: eb('ticket', '+', 1) }))
    .where('customer_id', '=', customerId)
    .returningAll()
    .executeTakeFirst();

/** Locks and reads an account. */
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
 * Customers who pay, or may be about to, and were not looked at since, or not since they asked for a page to pay on; by user,
 * after this one.
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

/** Puts the customer of an account that ends among those to be deleted at Stripe, and the account away. */
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

/** Takes a customer whose deletion is due; it is due again at `until` unless it is removed before. */
export const takeClosing = async (
  db: Db,
  now: Date,
  until: (attempts: number) => Date,
): Promise<string | null> =>
  db.transaction().execute(async trx => {
    const due = await trx
      .selectFrom('billing_closings')
      .selectAll()
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(1)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (due === undefined) return null;
    await trx
      .updateTable('billing_closings')
      .set({ attempts: due.attempts + 1, next_attempt_at: until(due.attempts) })
      .where('customer_id', '=', due.customer_id)
      .execute();
    return due.customer_id;
  });

export async function removeClosing(db: Db, customerId: string): Promise<void> {
  await db.deleteFrom('billing_closings').where('customer_id', '=', customerId).execute();
}
