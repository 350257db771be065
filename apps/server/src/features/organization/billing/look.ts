/**
 * Copies a customer's state from Stripe into our tables. Every way to learn of a change ends here:
 * an event, a user's request, the daily job.
 *
 * [Note: Looks in order] Events arrive repeated, late and in any order, so their content is not
 * trusted: an event only says which customer to look up. A lookup takes a number before it queries
 * Stripe, and its result is stored only if no result with a higher number is. Every change made
 * before a number was taken is in its result, and each change creates an event, whose lookup has a
 * later number. The result with the highest number is therefore right, however lookups overtake
 * each other.
 */
import type { Plan } from '@keyfold/contract/plans';
import { PLANS } from '@keyfold/contract/plans';
import {
  type PaidPlan,
  type PaidSubscription,
  type Payments,
  PaymentsError,
} from '../../../adapters/payments.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { lockUser, setPlan } from '../../accounts/users/index.ts';
import { writeAudit } from '../../support/audit/index.ts';
import { forgetCustomer, insertEvent, lockAccount, type Seen, saveSeen, takeTicket } from './store.ts';

const NONE: Seen = {
  subscription_id: null,
  plan: null,
  period: null,
  is_late: false,
  period_ends_at: null,
  ends_at: null,
};

export const rankOf = (plan: Plan): number => PLANS.indexOf(plan);

/** A subscription to one of our plans. */
export type KnownSubscription = PaidSubscription & { readonly plan: PaidPlan };

const isInForce = ({ state }: PaidSubscription): boolean => state === 'running' || state === 'late';

/**
 * Returns the subscription that counts: in force, of the highest plan, the newest; null when none
 * is.
 */
export const findInForce = (all: readonly KnownSubscription[]): KnownSubscription | null =>
  all
    .filter(isInForce)
    .sort((a, b) => rankOf(b.plan) - rankOf(a.plan) || b.createdAt.getTime() - a.createdAt.getTime())[0] ??
  null;

const toSeen = (one: KnownSubscription | null): Seen =>
  one === null
    ? NONE
    : {
        subscription_id: one.id,
        plan: one.plan,
        period: one.period,
        is_late: one.state === 'late',
        period_ends_at: one.periodEndsAt,
        ends_at: one.endsAt,
      };

type Found = { readonly subscriptions: readonly PaidSubscription[]; readonly isDeleted: boolean };

/**
 * Queries Stripe. Stripe also reports "missing" for every customer when the key belongs to another
 * account, so a customer counts as gone only if Stripe says that it was deleted.
 */
async function ask(payments: Payments, customerId: string): Promise<Found> {
  try {
    return { subscriptions: await payments.listSubscriptions(customerId), isDeleted: false };
  } catch (error) {
    if (!(error instanceof PaymentsError) || error.kind !== 'missing') throw error;
    if (await payments.isCustomerDeleted(customerId)) return { subscriptions: [], isDeleted: true };
    throw new PaymentsError('refused', 'customer_unknown');
  }
}

/**
 * Returns the subscriptions to our plans. The subscription that provided the current plan keeps it
 * even if its product is no longer known: a setup mistake at Stripe must not take away what users
 * pay for.
 */
const onlyKnown = (
  all: readonly PaidSubscription[],
  before: { readonly subscription_id: string | null; readonly plan: PaidPlan | null },
): readonly KnownSubscription[] =>
  all.flatMap(one => {
    const plan = one.plan ?? (one.id === before.subscription_id ? before.plan : null);
    return plan === null ? [] : [{ ...one, plan }];
  });

/**
 * Updates the plan when the subscription's plan has changed. Until then, a plan that an admin
 * assigned in the meantime stays.
 */
async function followPlan(trx: Trx, userId: string, before: Plan, after: Plan, now: Date): Promise<void> {
  if (before === after) return;
  const former_plan = await setPlan(trx, userId, after);
  if (former_plan === after) return;
  await writeAudit(trx, {
    actor: { kind: 'billing' },
    action: 'set_plan',
    subjectId: userId,
    details: { plan: after, former_plan },
    at: now,
  });
}

/**
 * Looks up a customer and stores the result, together with the event that triggered it. Returns the
 * subscriptions, or null for a customer that belongs to no user. On failure, rejects with
 * PaymentsError and stores nothing.
 */
export async function lookAt(
  { db, clock, logger }: Deps,
  payments: Payments,
  customerId: string,
  eventId?: string,
): Promise<readonly KnownSubscription[] | null> {
  const mine = await takeTicket(db, customerId);
  if (mine === undefined) return null;
  const { user_id: userId, ticket } = mine;
  const { subscriptions: all, isDeleted } = await ask(payments, customerId);
  const subscriptions = onlyKnown(all, mine);
  if (all.some(one => isInForce(one) && one.plan === null))
    logger.warn({ userId }, 'customer pays for a product that is not a plan');
  if (subscriptions.filter(isInForce).length > 1)
    logger.warn({ userId }, 'customer has more than one subscription');
  const now = clock.now();
  await db.transaction().execute(async trx => {
    if (eventId !== undefined) await insertEvent(trx, eventId, now);
    await lockUser(trx, userId, 'ending');
    const account = await lockAccount(trx, userId);
    if (account === undefined || account.seen_ticket >= ticket) return;
    const seen = toSeen(findInForce(subscriptions));
    await saveSeen(trx, userId, { ticket, seen, now });
    if (isDeleted) await forgetCustomer(trx, userId, customerId);
    await followPlan(trx, userId, account.plan ?? 'free', seen.plan ?? 'free', now);
  });
  return subscriptions;
}
