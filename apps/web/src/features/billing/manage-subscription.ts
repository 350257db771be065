// What is done about a subscription, as one function of named actions (docs/spec-map.md 5, 7, 8). Whoever calls it goes where the
// answer says: to a page of Stripe's, or nowhere when all is done.
import { BILLING_PERIOD_DEFAULT, type BillingPeriod, type Plan } from '@keyfold/contract/limits';
import { t } from '../../lib/language.ts';
import { billingClient } from '../../session/calls/clients/billing.ts';

export type SubscriptionOrder = {
  plan?: Plan | undefined;
  period?: BillingPeriod | undefined;
};

/** The address to go to, or null. Rejects for an upgrade without a plan, an unknown action, and as the calls do. */
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

/** Whether a refusal of the portal says that a plan is to be chosen first (docs/spec-map.md 8). */
export const asksForPlan = (error: unknown): boolean =>
  error instanceof Error && /select(ing)? a plan/i.test(error.message);

/** Whether the page may go to this address: TLS, or this machine in trials. */
export function isSafePlace(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1)$/.test(hostname));
}
