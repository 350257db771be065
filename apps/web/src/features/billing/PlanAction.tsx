// The button at the bottom of a plan card: upgrade, change the period, downgrade at Stripe, or a
// note that the plan is the current one.
import type { OfferedPlan, SubscriptionStatus } from '@keyfold/contract';
import type { BillingPeriod, Plan } from '@keyfold/contract/plans';
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
  /** Whether a payment is being confirmed, so that the user should not make another one. */
  isWaiting: boolean;
  /** Called when an existing subscription was changed immediately. */
  onChanged: (plan: Plan) => void;
};

function labelOf(offered: OfferedPlan, status: SubscriptionStatus, period: BillingPeriod): string {
  const plan = planNames[offered.plan];
  if (offered.plan !== status.plan) return t('Upgrade to {plan}', { plan });
  return period === 'yearly' ? t('Switch to yearly billing') : t('Switch to monthly billing');
}

/**
 * Shows the action, its error, and the confirmation before a card is charged without a Stripe page.
 */
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
              'Your subscription changes immediately. Stripe charges your card the difference for the rest of the billing period.',
            )}
          </p>
          <CallFailure title={t('Failed to create checkout session')} error={up.error} />
        </AlertDialog>
      )}
    </>
  );
}
