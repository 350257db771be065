// Actions on a subscription, as one function with named actions (docs/spec-map.md 5, 7, 8). The
// caller opens the returned URL: a Stripe page, or none when the action is complete.
import { BILLING_PERIOD_DEFAULT, type BillingPeriod, type Plan } from '@keyfold/contract/plans';
import { t } from '../../lib/language.ts';
import { billingClient } from '../../session/calls/clients/billing.ts';

export type SubscriptionOrder = {
  plan?: Plan | undefined;
  period?: BillingPeriod | undefined;
};

/**
 * Returns the URL to open, or null. Rejects for an upgrade without a plan, for an unknown action,
 * and when the call fails.
 */
export async function manageSubscription(
  action: string,
  { plan, period = BILLING_PERIOD_DEFAULT }: SubscriptionOrder = {},
): Promise<string | null> {
  switch (action) {
    case 'upgrade':
      if (plan === undefined) throw new Error(t('Unable to determine upgrade path'));
      return (await billingClient.upgrade({ plan, period })).data.url;
    case 'portal':
      return (await billingClient.portal({})).data.url;
    case 'cancel':
      await billingClient.cancel({});
      return null;
    case 'resume':
      await billingClient.resume({});
      return null;
    default:
      throw new Error(t('Invalid subscription action'));
  }
}

/**
 * Returns whether the portal refused because the user must choose a plan first (docs/spec-map.md
 * 8).
 */
export const asksForPlan = (error: unknown): boolean =>
  error instanceof Error && /select(ing)? a plan/i.test(error.message);

/** Returns whether the page may navigate to this URL: TLS, or the local machine during tests. */
export function isSafePlace(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
}
