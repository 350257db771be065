/**
 * Who takes payments, as services see it: prices, customers, pages to send people to, subscriptions, signed events. The
 * words are ours; payments-stripe.ts has Stripe's. No card and no name passes through here.
 */
import type { BillingPeriod, Plan } from '@keyfold/contract/limits';

/** A plan that is paid for. */
export type PaidPlan = Exclude<Plan, 'free'>;

export type PlanPrice = {
  readonly plan: PaidPlan;
  readonly period: BillingPeriod;
  readonly priceId: string;
  /** Whole minor units (cents). */
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
};

/**
 * running: the plan is in force. late: in force although the last payment failed, which is tried again. stuck: never paid, or
 * not any more, and could still be. over: ended for good.
 */
export type SubscriptionState = 'running' | 'late' | 'stuck' | 'over';

export type PaidSubscription = {
  readonly id: string;
  /** Its one line, which a change of the plan exchanges. */
  readonly itemId: string;
  /** Null when what is paid for is no product that we know now. */
  readonly plan: PaidPlan | null;
  readonly period: BillingPeriod;
  readonly state: SubscriptionState;
  readonly createdAt: Date;
  readonly periodEndsAt: Date;
  /** Its end, once it was cancelled. */
  readonly endsAt: Date | null;
};

/** What an event is about; null when it is about nobody's subscription. */
export type PaymentEvent = { readonly id: string; readonly customerId: string | null };

/**
 * unreachable: no answer, or one that passes. refused: wrong key, wrong request. missing: there is no such thing (any more).
 * unpaid: the card was not accepted, and nothing was changed.
 */
export type PaymentsFailure = 'unreachable' | 'refused' | 'missing' | 'unpaid';

/** Every rejection of Payments. Says nothing of whom it was about; `code` is the other side's word for the kind of failure. */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  readonly kind: PaymentsFailure;
  readonly code: string;

  constructor(kind: PaymentsFailure, code: string) {
    super(`${kind}: ${code}`);
    this.kind = kind;
    this.code = code;
  }
}

/** All but readEvent reject with PaymentsError. */
export type Payments = {
  /** What is sold now; asked for anew every few minutes. */
  readonly listPrices: () => Promise<readonly PlanPrice[]>;
  /** Makes a customer and answers its id; the same key within a day answers the same one. */
  readonly createCustomer: (key: string) => Promise<string>;
  /** Whether a customer was there and was deleted; false for one that is there, or that this key knows nothing of. */
  readonly isCustomerDeleted: (customerId: string) => Promise<boolean>;
  /** Deletes a customer, which ends its subscriptions at once. One that was deleted already is no failure. */
  readonly deleteCustomer: (customerId: string) => Promise<void>;
  /** A page where the customer pays for the first time; answers its address. */
  readonly openCheckout: (order: {
    readonly customerId: string;
    readonly priceId: string;
    readonly successUrl: string;
    readonly cancelUrl: string;
  }) => Promise<string>;
  /** Closes such pages that are still open, so that nobody pays twice. Rejects after some when there are more: try again. */
  readonly closeCheckouts: (customerId: string) => Promise<void>;
  /** A page for card, invoices and lower plans; answers its address. */
  readonly openPortal: (customerId: string, returnUrl: string) => Promise<string>;
  /** All subscriptions of a customer. */
  readonly listSubscriptions: (customerId: string) => Promise<readonly PaidSubscription[]>;
  /** Exchanges the price; the difference for the rest of the period is paid now. A cancelling is taken back. */
  readonly changePrice: (subscription: PaidSubscription, priceId: string) => Promise<void>;
  /** Lets a subscription end with its period, or takes that back. */
  readonly setEnding: (subscriptionId: string, isEnding: boolean) => Promise<void>;
  /** Ends a subscription at once. One that has ended is no failure. */
  readonly endNow: (subscriptionId: string) => Promise<void>;
  /** An event from the bytes that came, once their signature holds; null when it does not, or is too old at `now`. */
  readonly readEvent: (bytes: Uint8Array, signature: string, now: Date) => PaymentEvent | null;
};
