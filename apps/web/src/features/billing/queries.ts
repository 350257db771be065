// The plan and the subscription: reading them, what is done about them, and going to Stripe's pages.
import type { SubscriptionStatus } from '@keyfold/contract';
import type { BillingPeriod, Plan } from '@keyfold/contract/limits';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '../../lib/language.ts';
import { authClient } from '../../session/calls/clients/auth.ts';
import { billingClient } from '../../session/calls/clients/billing.ts';
import { findUser, setUser } from '../../session/state/current-user.ts';
import { LEAVING_MS, PAYMENT_POLL_MS } from '../../timing.ts';
import { isSafePlace, manageSubscription } from './manage-subscription.ts';
import { rankOf } from './plan-words.ts';

const statusKey = ['subscription'] as const;

/** Whether a plan that was just paid for is there, or a higher one. */
export const hasCome = (status: SubscriptionStatus, awaited: Plan): boolean =>
  rankOf(status.plan) >= rankOf(awaited);

/** The subscription, live; asked for again and again while a plan is awaited. Other screens learn of another plan. */
export const useSubscription = (awaited: Plan | null) =>
  useQuery({
    queryKey: statusKey,
    queryFn: async (): Promise<SubscriptionStatus> => {
      const { data } = await billingClient.status({});
      const user = findUser();
      if (user !== null && user.plan !== data.plan) setUser((await authClient.check({})).data);
      return data;
    },
    refetchInterval: ({ state }) =>
      awaited === null || (state.data !== undefined && hasCome(state.data, awaited))
        ? false
        : PAYMENT_POLL_MS,
  });

/** Leaves for a page of Stripe's, in the place of this one. Throws for any other address. */
function leaveFor(url: string): void {
  if (!isSafePlace(url)) throw new Error(t('Something failed'));
  window.location.assign(url);
}

type Act =
  | { readonly action: 'upgrade'; readonly plan: Plan; readonly period: BillingPeriod }
  | { readonly action: 'portal' | 'cancel' | 'resume' };

/** Something done about the subscription; `onDone` hears of what needed no page of Stripe's. */
export function useSubscriptionAct(onDone?: (act: Act) => void) {
  const cache = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  // A page that is come back to, or was not left after all, is not leaving any more.
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => setLeaving(false), LEAVING_MS);
    return () => clearTimeout(timer);
  }, [isLeaving]);
  const mutation = useMutation({
    mutationFn: async (act: Act) => {
      const url = await manageSubscription(act.action, act.action === 'upgrade' ? act : {});
      if (url === null) {
        await cache.invalidateQueries({ queryKey: statusKey });
        onDone?.(act);
        return;
      }
      setLeaving(true);
      leaveFor(url);
    },
  });
  return {
    run: (act: Act) => mutation.mutate(act),
    busy: mutation.isPending || isLeaving,
    error: mutation.error,
  };
}
