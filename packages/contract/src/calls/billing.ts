/**
 * The calls about one's plan and its payment (docs/spec-map.md 7.69, docs/interpretations.md#74). Cards and invoices are Stripe's
 * alone: these calls hand out addresses of its pages. The webhook is an extension; what it carries is Stripe's format and not
 * checked here.
 */
import { z } from 'zod';
import { defineCall } from '../core/call.ts';
import { dataOf, nothing } from '../core/envelope.ts';
import { BILLING_PERIOD_DEFAULT, BILLING_PERIODS, INVALID_PLAN, PLANS } from '../core/limits.ts';
import { rowsOf } from '../core/rows.ts';

/** What is paid for one period: whole minor units (cents) of a currency of ISO 4217, in lower case. */
const planPrice = z.object({ amount: z.number(), currency: z.string() });

/** A plan with what it allows and costs; a price is null where the plan is not sold for that period. */
const offeredPlan = z.object({
  plan: z.enum(PLANS),
  storage_limit: z.number(),
  address_limit: z.number(),
  domain_limit: z.number(),
  /** People of an organisation, its owner counted; 1 where the plan has none. */
  member_limit: z.number(),
  security_analytics: z.boolean(),
  monthly: planPrice.nullable(),
  yearly: planPrice.nullable(),
});
export type OfferedPlan = z.infer<typeof offeredPlan>;

const subscriptionStatus = z.object({
  /** Whether this service takes payments. */
  enabled: z.boolean(),
  has_subscription: z.boolean(),
  /** Whether there is a higher plan, and it can be paid for. */
  can_upgrade: z.boolean(),
  /** The plan in force, whoever gave it. */
  plan: z.enum(PLANS),
  /** What the subscription is for; null without one. */
  paid_plan: z.enum(PLANS).nullable(),
  period: z.enum(BILLING_PERIODS).nullable(),
  /** When it is paid for again; null without one, and when it was cancelled. */
  renews_at: z.string().nullable(),
  /** When it ends, once it was cancelled. */
  ends_at: z.string().nullable(),
  /** Whether the last payment failed; Stripe tries again for a while. */
  payment_failed: z.boolean(),
  /** Whether Stripe has an account for the caller, and so invoices. */
  has_account: z.boolean(),
  plans: rowsOf(offeredPlan),
});
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;

/** An address of Stripe's, to be opened in the place of the page. */
const place = z.object({ url: z.string() });

export const billingCalls = {
  status: defineCall({
    method: 'GET',
    path: '/user/stripe/status',
    access: 'user',
    about: 'The caller’s plan and subscription, and what the plans allow and cost.',
    input: z.object({}),
    output: dataOf(subscriptionStatus),
    timeoutMs: 30_000,
  }),
  upgrade: defineCall({
    method: 'POST',
    path: '/user/stripe/upgrade',
    access: 'user',
    about:
      'The way to a higher plan, or to another period of the same: the address of a payment page, or null when a running subscription was changed at once. 422 where no way leads.',
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
    about: 'The address of a page for card, invoices and lower plans. 422 for who never chose a paid plan.',
    input: z.object({}),
    output: dataOf(place),
    timeoutMs: 30_000,
  }),
  cancel: defineCall({
    method: 'POST',
    path: '/user/stripe/cancel',
    access: 'user',
    about: 'Ends the subscription with the time that is paid for, and answers when that is.',
    input: z.object({}),
    output: dataOf(z.object({ ends_at: z.string().nullable() })),
    timeoutMs: 30_000,
  }),
  resume: defineCall({
    method: 'POST',
    path: '/user/stripe/resume',
    access: 'user',
    about: 'Takes the cancelling back while the subscription still runs (an extension).',
    input: z.object({}),
    output: nothing,
    timeoutMs: 30_000,
  }),
  webhook: defineCall({
    method: 'POST',
    path: '/stripe/webhook',
    access: 'public',
    about:
      'Where Stripe sends its events (an extension). Signed by Stripe-Signature; 400 when that does not hold or is old. 200 only once what it says is stored; a repeated event changes nothing.',
    transport: 'signed',
    input: z.object({}),
    output: nothing,
  }),
} as const;
