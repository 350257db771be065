// The button at the foot of a plan's card: the way up, another period, the way down at Stripe, or that it is the one in force.
import type { OfferedPlan, SubscriptionStatus } from '@keyfold/contract';
import type { BillingPeriod, Plan } from '@keyfold/contract/limits';
import { useState } from 'react';
import { t } from '../../lib/language.ts';
import { CallFailure } from '../../session/calls/CallFailure.tsx';
import { AlertDialog } from '../../ui/AlertDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { planNames, rankOf } from './plan-words.ts';
import { useSubscriptionAct } from './queries.ts';

type PlanActionProps = {
  offered: OfferedPlan;
  status: SubscriptionStatus;
  period: BillingPeriod;
  isNext: boolean;
  /** Whether a payment is being confirmed, and another one would be a mistake. */
  isWaiting: boolean;
  /** Hears of a running subscription that was changed at once. */
  onChanged: (plan: Plan) => void;
};

function labelOf(offered: OfferedPlan, status: SubscriptionStatus, period: BillingPeriod): string {
  const plan = planNames[offered.plan];
  if (offered.plan !== status.plan) return t('Upgrade to {plan}', { plan });
  return period === 'yearly' ? t('Pay by the year') : t('Pay by the month');
}

/** What it does, why it failed, and the question before a card is charged without a page of Stripe's. */
export function PlanAction({ offered, status, period, isNext, isWaiting, onChanged }: PlanActionProps) {
  const [isAsking, setAsking] = useState(false);
  const up = useSubscriptionAct(() => {
    setAsking(false);
    onChanged(offered.plan);
  });
  const down = useSubscriptionAct();
  const rank = rankOf(offered.plan) - rankOf(status.plan);
  const isOtherPeriod = rank === 0 && status.paid_plan === status.plan && status.period !== period;
  if (rank === 0 && (!isOtherPeriod || offered[period] === null))
    return (
      <Button full variant="outline" disabled>
        {t('Current plan')}
      </Button>
    );
  if (rank < 0) {
    if (!status.has_subscription || offered.plan === 'free') return null;
    return (
      <>
        <Button full variant="outline" busy={down.busy} onClick={() => down.run({ action: 'portal' })}>
          {down.busy ? t('Opening Stripe…') : t('Change at Stripe')}
        </Button>
        <CallFailure title={t('Failed to open billing portal')} error={down.error} />
      </>
    );
  }
  if (offered[period] === null) return null;
  const label = labelOf(offered, status, period);
  const run = () => up.run({ action: 'upgrade', plan: offered.plan, period });
  return (
    <>
      <Button
        full
        variant={isNext ? 'primary' : 'soft'}
        busy={up.busy}
        disabled={isWaiting}
        onClick={() => (status.has_subscription ? setAsking(true) : run())}
      >
        {up.busy && !status.has_subscription ? t('Opening Stripe…') : label}
      </Button>
      {!isAsking && <CallFailure title={t('Failed to create checkout session')} error={up.error} />}
      {isAsking && (
        <AlertDialog
          open
          danger={false}
          title={label}
          confirmLabel={t('Change now')}
          busy={up.busy}
          onConfirm={run}
          onCancel={() => setAsking(false)}
        >
          <p className="mb-2">
            {t(
              'Your subscription is changed at once. Stripe charges your card the difference for the rest of the time.',
            )}
          </p>
          <CallFailure title={t('Failed to create checkout session')} error={up.error} />
        </AlertDialog>
      )}
    </>
  );
}
