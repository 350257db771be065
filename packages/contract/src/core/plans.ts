/**
 * Plans and billing periods. The server sets the limits of each plan in `PLAN_LIMITS` of its
 * base/limits.ts; `offeredPlan` in calls/billing.ts returns them with the prices.
 */

/** Plans a user can have (docs/spec-map.md 5.01, 5.02, 5.09). */
export const PLANS = ['free', 'plus', 'pro'] as const;
export type Plan = (typeof PLANS)[number];
/** Error text for any other plan (docs/spec-map.md 5.01, 5.02, 5.09). */
export const INVALID_PLAN = 'Invalid plan. Must be free, plus, or pro.';
/** Billing periods, and the default (docs/spec-map.md 7, 9). */
export const BILLING_PERIODS = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];
export const BILLING_PERIOD_DEFAULT: BillingPeriod = 'monthly';
