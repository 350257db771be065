/**
 * Paid plans (docs/spec-map.md 5, 7, 8; docs/interpretations.md#74 and #91): status, upgrades, the
 * portal, canceling, and Stripe's events. look.ts stores subscriptions; limits.ts defines what a
 * plan allows.
 */
import type { SubscriptionStatus } from '@keyfold/contract';
import { AppError, type ErrorCode } from '@keyfold/contract/errors';
import { type BillingPeriod, PLANS, type Plan } from '@keyfold/contract/plans';
import { type Payments, PaymentsError, type PlanPrice } from '../../../adapters/payments.ts';
import { ANALYTICS_PLANS, BILLING_TURN_MS, PLAN_LIMITS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import { planMemberLimit } from '../../accounts/memberships/index.ts';
import { queueClosing } from './closings.ts';
import { findInForce, type KnownSubscription, lookAt, rankOf } from './look.ts';
import {
  type AccountRow,
  findAccount,
  findPlan,
  hasEvent,
  insertEvent,
  moveTurn,
  noteAsked,
  setCustomer,
  takeTurn,
} from './store.ts';

type Order = { readonly plan: Plan; readonly period: BillingPeriod };

function requirePayments({ payments }: Deps): Payments {
  if (payments === null) throw new AppError('billing_off');
  return payments;
}

/** Runs an operation at Stripe. Throws a failure with this code and logs its kind. */
async function told<T>({ logger }: Deps, code: ErrorCode, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    if (error.kind === 'unpaid') throw new AppError('payment_refused', { cause: error });
    logger.warn({ kind: error.kind, reason: error.code, err: error }, 'Stripe request failed');
    throw new AppError(code, { cause: error });
  }
}

const pageUrl = ({ config }: Deps, result?: string): string =>
  `${config.publicUrl}/app/config/subscription${result === undefined ? '' : `?${result}`}`;

/**
 * Returns the current prices, or none when Stripe is unavailable; the rest of the page does not
 * wait for Stripe a second time.
 */
async function findPrices({ payments, logger }: Deps): Promise<readonly PlanPrice[]> {
  try {
    return payments === null ? [] : await payments.listPrices();
  } catch (error) {
    if (!(error instanceof PaymentsError)) throw error;
    logger.warn({ kind: error.kind, reason: error.code, err: error }, 'prices unavailable from Stripe');
    return [];
  }
}

function offer(
  { config }: Deps,
  plan: Plan,
  prices: readonly PlanPrice[],
): SubscriptionStatus['plans'][number] {
  const { storageBytes, addressLimit, domainLimit } = PLAN_LIMITS[plan];
  const priceFor = (period: BillingPeriod) => {
    const price = prices.find(one => one.plan === plan && one.period === period);
    return price === undefined ? null : { amount: price.amount, currency: price.currency };
  };
  return {
    plan,
    storage_limit: storageBytes,
    address_limit: addressLimit,
    domain_limit: domainLimit,
    member_limit: planMemberLimit(config, plan),
    security_analytics: ANALYTICS_PLANS.has(plan),
    monthly: priceFor('monthly'),
    yearly: priceFor('yearly'),
  };
}

/** Returns the plan and subscription of a user. Throws not_logged_in. */
export async function getStatus(deps: Deps, userId: string): Promise<SubscriptionStatus> {
  const prices = await findPrices(deps);
  const [plan, account] = [await findPlan(deps.db, userId), await findAccount(deps.db, userId)];
  if (plan === undefined) throw new AppError('not_logged_in');
  const { ends_at: endsAt = null, period_ends_at: periodEndsAt = null } = account ?? {};
  return {
    enabled: deps.payments !== null,
    has_subscription: account?.plan != null,
    can_upgrade: prices.some(price => rankOf(price.plan) > rankOf(plan)),
    plan,
    paid_plan: account?.plan ?? null,
    period: account?.period ?? null,
    renews_at: endsAt === null ? (periodEndsAt?.toISOString() ?? null) : null,
    ends_at: endsAt?.toISOString() ?? null,
    payment_failed: account?.is_late ?? false,
    has_account: account?.customer_id != null,
    plans: PLANS.map(one => offer(deps, one, prices)),
  };
}

/**
 * Runs an operation on a user's subscription under an exclusive lease. An operation that outlives
 * its lease may find that the next request holds it. `renew` therefore comes right before each step
 * that must not happen twice: it extends the lease to its full length, and throws when another
 * request holds it. Throws already_in_progress.
 */
async function inTurn<T>(
  { db, clock }: Deps,
  userId: string,
  act: (account: AccountRow, renew: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const now = clock.now();
  const turnEnd = (): Date => new Date(clock.now().getTime() + BILLING_TURN_MS);
  let until = turnEnd();
  const account = await takeTurn(db, userId, now, until);
  if (account === undefined) throw new AppError('already_in_progress');
  const renew = async () => {
    const next = turnEnd();
    if (!(await moveTurn(db, userId, until, next))) throw new AppError('already_in_progress');
    until = next;
  };
  try {
    return await act(account, renew);
  } finally {
    await moveTurn(db, userId, until, null);
  }
}

/**
 * Throws upgrade_refused unless the order is a higher plan, or another billing period of the
 * current paid plan.
 */
function requireWayUp(
  order: Order,
  plan: Plan,
  paid: { readonly plan: Plan | null; readonly period: BillingPeriod | null },
): void {
  const isHigher = rankOf(order.plan) > rankOf(plan);
  const isOtherPeriod = order.plan === plan && order.plan === paid.plan && order.period !== paid.period;
  if (!isHigher && !isOtherPeriod) throw new AppError('upgrade_refused');
}

const NO_CUSTOMER = new PaymentsError('missing', 'customer_missing');

/**
 * Returns the user's Stripe customer with its current state; creates it the first time, and again
 * when Stripe has lost it.
 */
async function meetCustomer(
  deps: Deps,
  payments: Payments,
  userId: string,
  renew: () => Promise<void>,
): Promise<{ readonly customerId: string; readonly subscriptions: readonly KnownSubscription[] }> {
  for (let tries = 0; tries < 2; tries++) {
    const account = await findAccount(deps.db, userId);
    if (account === undefined) break;
    let customerId = account.customer_id;
    await renew();
    if (customerId === null) {
      customerId = await payments.createCustomer(account.customer_key);
      if (!(await setCustomer(deps.db, userId, customerId))) {
        await queueClosing(deps, customerId);
        break;
      }
    } else await payments.closeCheckouts(customerId).catch(ignoreMissing);
    // After closing open checkout pages: one that was paid in the meantime is now a subscription.
    const subscriptions = await lookAt(deps, payments, customerId);
    const after = await findAccount(deps.db, userId);
    if (subscriptions !== null && after?.customer_id === customerId) return { customerId, subscriptions };
  }
  throw NO_CUSTOMER;
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof PaymentsError) || error.kind !== 'missing') throw error;
}

function getPriceId(prices: readonly PlanPrice[], { plan, period }: Order): string {
  const price = prices.find(one => one.plan === plan && one.period === period);
  if (price === undefined) throw new PaymentsError('refused', 'price_missing');
  return price.priceId;
}

async function changeRunning(
  deps: Deps,
  payments: Payments,
  change: { readonly customerId: string; readonly running: KnownSubscription; readonly priceId: string },
): Promise<null> {
  await payments.changePrice(change.running, change.priceId);
  await lookAt(deps, payments, change.customerId);
  return null;
}

/**
 * Starts an upgrade to a higher plan or a change of the billing period. Returns the URL of a
 * payment page, or null when the running subscription was changed. Throws billing_off,
 * upgrade_refused, already_in_progress, payment_refused, checkout_failed.
 */
export async function upgrade(deps: Deps, userId: string, order: Order): Promise<string | null> {
  const payments = requirePayments(deps);
  const account = await findAccount(deps.db, userId);
  const paid = { plan: account?.plan ?? null, period: account?.period ?? null };
  requireWayUp(order, (await findPlan(deps.db, userId)) ?? 'free', paid);
  return inTurn(deps, userId, (_, renew) =>
    told(deps, 'checkout_failed', async () => {
      const priceId = getPriceId(await payments.listPrices(), order);
      const { customerId, subscriptions } = await meetCustomer(deps, payments, userId, renew);
      const running = findInForce(subscriptions);
      const from = (await findPlan(deps.db, userId)) ?? 'free';
      requireWayUp(order, from, { plan: running?.plan ?? null, period: running?.period ?? null });
      await renew();
      if (running !== null) return changeRunning(deps, payments, { customerId, running, priceId });
      // A subscription that was never paid, or is no longer paid, must not become active beside the
      // new one.
      for (const { id } of subscriptions.filter(({ state }) => state === 'stuck')) {
        await payments.endNow(id);
        await renew();
      }
      await noteAsked(deps.db, userId, deps.clock.now());
      return payments.openCheckout({
        customerId,
        priceId,
        successUrl: pageUrl(deps, `paid=${order.plan}&from=${from}`),
        cancelUrl: pageUrl(deps, 'paid=no'),
      });
    }),
  );
}

/**
 * Returns the URL of Stripe's page for card and invoices. Throws billing_off,
 * billing_account_missing, portal_failed.
 */
export async function openPortal(deps: Deps, userId: string): Promise<string> {
  const payments = requirePayments(deps);
  const customerId = (await findAccount(deps.db, userId))?.customer_id ?? null;
  if (customerId === null) throw new AppError('billing_account_missing');
  return told(deps, 'portal_failed', async () => {
    try {
      return await payments.openPortal(customerId, pageUrl(deps));
    } catch (error) {
      ignoreMissing(error);
      await lookAt(deps, payments, customerId);
      throw new AppError('billing_account_missing', { cause: error });
    }
  });
}

/** Makes the subscription end with its period, or reverts that. */
function setEnding(deps: Deps, userId: string, isEnding: boolean): Promise<Date | null> {
  const payments = requirePayments(deps);
  return inTurn(deps, userId, account =>
    told(deps, isEnding ? 'cancel_failed' : 'resume_failed', async () => {
      const { customer_id: customerId, subscription_id: subscriptionId } = account;
      if (customerId === null || subscriptionId === null) throw new AppError('subscription_missing');
      try {
        await payments.setEnding(subscriptionId, isEnding);
      } catch (error) {
        ignoreMissing(error);
        await lookAt(deps, payments, customerId);
        throw new AppError('subscription_missing', { cause: error });
      }
      await lookAt(deps, payments, customerId);
      return (await findAccount(deps.db, userId))?.ends_at ?? null;
    }),
  );
}

/**
 * Cancels the subscription and returns when it ends. Throws billing_off, subscription_missing,
 * already_in_progress, cancel_failed.
 */
export const cancel = (deps: Deps, userId: string): Promise<Date | null> => setEnding(deps, userId, true);

/**
 * Reverts a cancellation. Throws billing_off, subscription_missing, already_in_progress,
 * resume_failed.
 */
export async function resume(deps: Deps, userId: string): Promise<void> {
  await setEnding(deps, userId, false);
}

/**
 * Processes a Stripe event; the resulting state is stored when this resolves. Throws billing_off,
 * signature_refused, and unavailable when Stripe, which is queried for the state, does not answer:
 * Stripe then repeats the event.
 */
export async function receiveEvent(
  deps: Deps,
  { bytes, signature }: { readonly bytes: Uint8Array; readonly signature: string },
): Promise<void> {
  const payments = requirePayments(deps);
  const now = deps.clock.now();
  const event = payments.readEvent(bytes, signature, now);
  if (event === null) throw new AppError('signature_refused');
  if (event.customerId === null || (await hasEvent(deps.db, event.id))) return;
  const { customerId, id } = event;
  const looked = await told(deps, 'unavailable', () => lookAt(deps, payments, customerId, id));
  if (looked === null) await insertEvent(deps.db, id, now);
}
