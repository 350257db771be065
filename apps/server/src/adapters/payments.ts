/**
 * The payment provider as services see it: prices, customers, hosted pages, subscriptions, signed
 * events. The types are provider-neutral; payments-stripe.ts maps them to Stripe. No card data and
 * no names pass through here.
 */
import type { BillingPeriod, Plan } from '@keyfold/contract/plans';

/** A paid plan. */
export type PaidPlan = Exclude<Plan, 'free'>;

export type PlanPrice = {
  readonly plan: PaidPlan;
  readonly period: BillingPeriod;
  readonly priceId: string;
  /** Amount in whole minor units (cents). */
  readonly amount: number;
  /** ISO 4217, lower case. */
  readonly currency: string;
};

/**
 * running: the plan is in force. late: in force although the last payment failed; the payment is
 * retried. stuck: never paid, or no longer paid, but can still be paid. over: ended permanently.
 */
export type SubscriptionState = 'running' | 'late' | 'stuck' | 'over';

export type PaidSubscription = {
  readonly id: string;
  /** The subscription's only line item, which a change of plan replaces. */
  readonly itemId: string;
  /** Null when the paid product is not one that we currently know. */
  readonly plan: PaidPlan | null;
  readonly period: BillingPeriod;
  readonly state: SubscriptionState;
  readonly createdAt: Date;
  readonly periodEndsAt: Date;
  /** When the subscription ends, if it was canceled. */
  readonly endsAt: Date | null;
};

/** The customer of an event; null when the event concerns no subscription. */
export type PaymentEvent = { readonly id: string; readonly customerId: string | null };

/**
 * unreachable: no response, or a temporary failure. refused: wrong key or wrong request. missing:
 * the object does not exist (any more). unpaid: the card was declined, and nothing was changed.
 */
export type PaymentsFailure = 'unreachable' | 'refused' | 'missing' | 'unpaid';

/**
 * Every rejection of Payments. Does not identify the customer; `code` is the provider's code for
 * the kind of failure.
 */
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

/** All methods except readEvent reject with PaymentsError. */
export type Payments = {
  /** Returns the current prices, reloaded every few minutes. */
  readonly listPrices: () => Promise<readonly PlanPrice[]>;
  /** Creates a customer and returns its id; the same key within a day returns the same customer. */
  readonly createCustomer: (key: string) => Promise<string>;
  /**
   * Returns whether a customer existed and was deleted; false for a customer that exists or is
   * unknown to this API key.
   */
  readonly isCustomerDeleted: (customerId: string) => Promise<boolean>;
  /**
   * Deletes a customer, which ends its subscriptions at once. A customer that is already deleted is
   * not an error.
   */
  readonly deleteCustomer: (customerId: string) => Promise<void>;
  /** Creates a page for the customer's first payment; returns its URL. */
  readonly openCheckout: (order: {
    readonly customerId: string;
    readonly priceId: string;
    readonly successUrl: string;
    readonly cancelUrl: string;
  }) => Promise<string>;
  /**
   * Closes the customer's open payment pages to prevent double payment. Rejects after closing some
   * when there are more; the caller can retry.
   */
  readonly closeCheckouts: (customerId: string) => Promise<void>;
  /** Creates a page for managing the card, invoices and downgrades; returns its URL. */
  readonly openPortal: (customerId: string, returnUrl: string) => Promise<string>;
  /** Returns all subscriptions of a customer. */
  readonly listSubscriptions: (customerId: string) => Promise<readonly PaidSubscription[]>;
  /**
   * Changes the price; the difference for the rest of the period is charged now. Revokes a pending
   * cancellation.
   */
  readonly changePrice: (subscription: PaidSubscription, priceId: string) => Promise<void>;
  /** Sets or revokes cancellation of a subscription at the end of its period. */
  readonly setEnding: (subscriptionId: string, isEnding: boolean) => Promise<void>;
  /** Ends a subscription at once. A subscription that has already ended is not an error. */
  readonly endNow: (subscriptionId: string) => Promise<void>;
  /**
   * Returns the event in the received bytes after verifying their signature; null when the
   * signature is invalid, or too old at `now`.
   */
  readonly readEvent: (bytes: Uint8Array, signature: string, now: Date) => PaymentEvent | null;
};
