// Queries and mutations for the plan and the subscription, and navigation to Stripe's pages.
import type { SubscriptionStatus } from '@keyfold/contract';
import type { BillingPeriod, Plan } from '@keyfold/contract/plans';
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

/** Returns whether the plan that was just paid for, or a higher one, is active. */
export const hasCome = (status: SubscriptionStatus, awaited: Plan): boolean =>
  rankOf(status.plan) >= rankOf(awaited);

/**
 * Returns the subscription, live; polls while a plan is awaited. Other screens are notified of a
 * plan change.
 */
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

/** Replaces this page with a Stripe page. Throws for any other URL. */
function leaveFor(url: string): void {
  if (!isSafePlace(url)) throw new Error(t('Something failed'));
  window.location.assign(url);
}

type Act =
  | { readonly action: 'upgrade'; readonly plan: Plan; readonly period: BillingPeriod }
  | { readonly action: 'portal' | 'cancel' | 'resume' };

/** Runs an action on the subscription; `onDone` is called for actions that need no Stripe page. */
export function useSubscriptionAct(onDone?: (act: Act) => void) {
  const cache = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  // Resets the state if the user comes back or the navigation did not happen.
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
