// `/app/config/subscription` (docs/spec-map.md 2, 7, 8; docs/interpretations.md#74): the plans,
// their prices and the buttons to choose them, and the current subscription. Where billing is
// disabled, says so and shows only what the plans allow.
import type { SubscriptionStatus } from '@keyfold/contract';
import { BILLING_PERIOD_DEFAULT, type BillingPeriod, type Plan } from '@keyfold/contract/plans';
import { CreditCard, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { t } from '../../lib/language.ts';
import { AskedFor } from '../../session/calls/AskedFor.tsx';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { SettingsPage } from '../../ui/SettingsPage.tsx';
import { asksForPlan } from './manage-subscription.ts';
import { PaymentResult } from './PaymentResult.tsx';
import { PeriodSwitch } from './PeriodSwitch.tsx';
import { PlanAction } from './PlanAction.tsx';
import { PlanCard } from './PlanCard.tsx';
import { findPlan, freeMonths, planNames, priceWords, rankOf } from './plan-words.ts';
import { hasCome, useSubscription, useSubscriptionAct } from './queries.ts';
import { SubscriptionRow } from './SubscriptionRow.tsx';

type PlansProps = {
  status: SubscriptionStatus;
  isWaiting: boolean;
  onChanged: (plan: Plan) => void;
};

function Plans({ status, isWaiting, onChanged }: PlansProps) {
  const [chosen, setPeriod] = useState<BillingPeriod | null>(null);
  const { plans } = status;
  const period = chosen ?? status.period ?? BILLING_PERIOD_DEFAULT;
  const hasBoth = (['monthly', 'yearly'] as const).every(one => plans.some(plan => plan[one] !== null));
  const next = plans.find(plan => rankOf(plan.plan) > rankOf(status.plan) && plan[period] !== null);
  return (
    <>
      {hasBoth && <PeriodSwitch period={period} freeMonths={freeMonths(plans)} onChange={setPeriod} />}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-3">
        {plans.map(offered => {
          const isNext = offered.plan === next?.plan;
          const isCurrent = offered.plan === status.plan;
          return (
            <PlanCard
              key={offered.plan}
              offered={offered}
              period={period}
              price={priceWords(offered, period, plans)}
              isMarked={isNext}
              badge={
                isNext ? (
                  <Badge tone="info">{t('Recommended')}</Badge>
                ) : (
                  isCurrent && !status.enabled && <Badge>{t('Current plan')}</Badge>
                )
              }
            >
              {status.enabled && (
                <PlanAction
                  offered={offered}
                  status={status}
                  period={period}
                  isNext={isNext}
                  isWaiting={isWaiting}
                  onChanged={onChanged}
                />
              )}
            </PlanCard>
          );
        })}
      </div>
    </>
  );
}

/**
 * Shows the portal's error; if the account has none at Stripe, explains that the user must choose a
 * plan first.
 */
function PortalFailure({ error }: { error: unknown }) {
  if (!asksForPlan(error)) return <CallFailure title={t('Failed to open billing portal')} error={error} />;
  return (
    <p role="alert" className="text-control text-danger">
      {t('Please select a plan first using the upgrade buttons below.')}
    </p>
  );
}

/** Notices above the plans. */
function Notices({ status, openPortal }: { status: SubscriptionStatus; openPortal: () => void }) {
  if (!status.enabled)
    return (
      <Banner tone="neutral" icon={<CreditCard size={18} />} title={t('Billing is disabled on this server')}>
        {t('Your administrator assigns plans.')}
      </Banner>
    );
  return (
    status.payment_failed && (
      <Banner
        tone="warn"
        icon={<TriangleAlert size={18} />}
        title={t('The last payment failed')}
        below={
          <Button size="sm" variant="inheritOutline" onClick={openPortal}>
            {t('Update payment method')}
          </Button>
        }
      >
        {t('You keep your plan while Stripe retries the payment. If the retries fail, your plan ends.')}
      </Banner>
    )
  );
}

export function SubscriptionPage() {
  const [search, setSearch] = useSearchParams();
  const paid = search.get('paid');
  const awaited = findPlan(paid);
  const query = useSubscription(awaited);
  const portal = useSubscriptionAct();
  const status = query.data;
  const openPortal = () => portal.run({ action: 'portal' });
  const plan = status === undefined ? null : planNames[status.plan];
  return (
    <SettingsPage
      title={t('Subscription')}
      isText={status?.enabled === false}
      text={
        plan === null
          ? undefined
          : status?.enabled === true
            ? t(
                'You’re on the {plan} plan. Stripe handles payments, and this service never sees your card.',
                { plan },
              )
            : t('You’re on the {plan} plan.', { plan })
      }
      action={
        status?.enabled === true && (
          <Button size="sm" variant="outline" busy={portal.busy} onClick={openPortal}>
            <CreditCard size={15} />
            {portal.busy ? t('Opening Stripe…') : t('Manage billing')}
          </Button>
        )
      }
    >
      <AskedFor query={query} bars={['h-9 w-56', 'h-64 w-full']} text={t('Couldn’t load your subscription.')}>
        {known => (
          <>
            <div className="mb-4 flex flex-col gap-3 empty:hidden">
              <PortalFailure error={portal.error} />
              {paid !== null && (
                <PaymentResult
                  status={known}
                  paid={awaited}
                  from={findPlan(search.get('from'))}
                  onClose={() => setSearch({}, { replace: true })}
                />
              )}
              <Notices status={known} openPortal={openPortal} />
            </div>
            <Plans
              status={known}
              isWaiting={awaited !== null && !hasCome(known, awaited)}
              onChanged={next => setSearch({ paid: next, from: known.plan }, { replace: true })}
            />
            <SubscriptionRow status={known} />
          </>
        )}
      </AskedFor>
    </SettingsPage>
  );
}
