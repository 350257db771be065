/**
 * Calls about the caller's plan and its payment (docs/spec-map.md 7.69,
 * docs/interpretations.md#74). Cards and invoices are handled by Stripe alone: these calls return
 * URLs of its pages. The webhook is an extension; its payload is in Stripe's format and not
 * validated here.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { BILLING_PERIOD_DEFAULT, BILLING_PERIODS, INVALID_PLAN, PLANS } from '../core/plans.ts';
import { rowsOf } from '../core/rows.ts';

/** Price of one period: whole minor units (cents) of an ISO 4217 currency, in lower case. */
const planPrice = z.object({ amount: z.number(), currency: z.string() });

/** A plan with its limits and prices; a price is null if the plan is not sold for that period. */
const offeredPlan = z.object({
  plan: z.enum(PLANS),
  storage_limit: z.number(),
  address_limit: z.number(),
  domain_limit: z.number(),
  /**
   * Maximum number of members of an organization, including its owner; 1 if the plan has no
   * organization.
   */
  member_limit: z.number(),
  security_analytics: z.boolean(),
  monthly: planPrice.nullable(),
  yearly: planPrice.nullable(),
});
export type OfferedPlan = z.infer<typeof offeredPlan>;

const subscriptionStatus = z.object({
  /** Whether this service accepts payments. */
  enabled: z.boolean(),
  has_subscription: z.boolean(),
  /** Whether a higher plan exists and is for sale. */
  can_upgrade: z.boolean(),
  /** The current plan, whether paid for or assigned. */
  plan: z.enum(PLANS),
  /** The plan of the subscription; null without one. */
  paid_plan: z.enum(PLANS).nullable(),
  period: z.enum(BILLING_PERIODS).nullable(),
  /** When the next payment is due; null without a subscription, and after it was canceled. */
  renews_at: z.string().nullable(),
  /** When a canceled subscription ends. */
  ends_at: z.string().nullable(),
  /** Whether the last payment failed; Stripe retries for a while. */
  payment_failed: z.boolean(),
  /** Whether Stripe has an account for the caller, and therefore invoices. */
  has_account: z.boolean(),
  plans: rowsOf(offeredPlan),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;

/** A Stripe URL that replaces the current page. */
const place = z.object({ url: z.string() });

export const billingCalls = {
  status: defineCall({
    method: 'GET',
    path: '/user/stripe/status',
    access: 'user',
    about: 'The plan and subscription of the caller, and the limits and prices of all plans.',
    input: z.object({}),
    output: dataOf(subscriptionStatus),
    timeoutMs: 30_000,
  }),
  upgrade: defineCall({
    method: 'POST',
    path: '/user/stripe/upgrade',
    access: 'user',
    about:
      'Upgrades to a higher plan, or changes the billing period. Returns the URL of a payment page, or null if an existing subscription was changed immediately. 422 if the change is not possible.',
    input: z.object({
      plan: z.enum(PLANS, { error: INVALID_PLAN }),
      period: z.enum(BILLING_PERIODS).default(BILLING_PERIOD_DEFAULT),
    }),
    output: dataOf(z.object({ url: z.string().nullable() })),
    timeoutMs: 60_000,
  }),
  portal: defineCall({
    method: 'POST',
    path: '/user/stripe/portal',
    access: 'user',
    about: 'The URL of a page for card, invoices and lower plans. 422 for users who never chose a paid plan.',
    input: z.object({}),
    output: dataOf(place),
    timeoutMs: 30_000,
  }),
  cancel: defineCall({
    method: 'POST',
    path: '/user/stripe/cancel',
    access: 'user',
    about: 'Cancels the subscription at the end of the paid period and returns that date.',
    input: z.object({}),
    output: dataOf(z.object({ ends_at: z.string().nullable() })),
    timeoutMs: 30_000,
  }),
  resume: defineCall({
    method: 'POST',
    path: '/user/stripe/resume',
    access: 'user',
    about: 'Resumes a canceled subscription before it ends (an extension).',
    input: z.object({}),
    output: nothing,
    timeoutMs: 30_000,
  }),
  webhook: defineCall({
    method: 'POST',
    path: '/stripe/webhook',
    access: 'public',
    about:
      'Receives events from Stripe (an extension), signed in Stripe-Signature; 400 if the signature is invalid or old. 200 only after the event is stored. A repeated event changes nothing.',
    transport: 'signed',
    input: z.object({}),
    output: nothing,
  }),
} as const;
