/**
 * What Stripe has of a customer, taken over into our tables. Every way to learn of a change ends here: an event, a call of
 * the user's, the daily job.
 *
 * [Note: Looks in order] Events come repeated, late and in any order, so none is believed for what it holds: it says whom to
 * look at. A look takes a number before it asks Stripe, and its answer is stored only when no higher number's is. Whatever
 * changed before a number was taken is in its answer, and each change makes an event, whose look has a number after it: so the
 * highest number's answer is right, however looks overtake each other.
 */
import type { Plan } from '@keyfold/contract/limits';
import { PLANS } from '@keyfold/contract/limits';
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

/** A subscription to one of the plans. */
export type KnownSubscription = PaidSubscription & { readonly plan: PaidPlan };

const isInForce = ({ state }: PaidSubscription): boolean => state === 'running' || state === 'late';

/** The subscription that counts: in force, of the highest plan, the youngest; null when none is. */
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
 * What Stripe has. "Missing" is also what the key of another account is told of every customer: gone is only one of which
 * Stripe says that it was deleted.
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
 * Those to a plan of ours. The one that gave the plan keeps it when its product is none that we know any more: a slip in the
 * setup at Stripe must not take from everybody what they pay for.
 */
const onlyKnown = (
  all: readonly PaidSubscription[],
  before: { readonly subscription_id: string | null; readonly plan: PaidPlan | null },
): readonly KnownSubscription[] =>
  all.flatMap(one => {
    const plan = one.plan ?? (one.id === before.subscription_id ? before.plan : null);
    return plan === null ? [] : [{ ...one, plan }];
  });

/** The plan follows the subscription when that has changed: what an admin gave meanwhile stays until then. */
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
 * Looks at a customer and stores what was found, together with the event that told of it. Answers the subscriptions, or
 * null for a customer of nobody's. Rejects with PaymentsError, and then nothing was stored.
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
    logger.warn({ userId }, 'a customer pays for a product that is none of the plans');
  if (subscriptions.filter(isInForce).length > 1)
    logger.warn({ userId }, 'a customer pays for more than one subscription');
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
