// Result of a payment, shown to users who return from Stripe: nothing was paid, the payment is
// being confirmed, or the list of changes.
import type { OfferedPlan, SubscriptionStatus } from '@keyfold/contract';
import type { Plan } from '@keyfold/contract/plans';
import { BadgeCheck, CircleSlash2, Hourglass } from 'lucide-react';
import { t } from '../../lib/language.ts';
import { useLater } from '../../lib/later.ts';
import { PAYMENT_PATIENCE_MS } from '../../timing.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { planNames, sizeWords } from './plan-words.ts';
import { hasCome } from './queries.ts';

type PaymentResultProps = {
  status: SubscriptionStatus;
  /** The plan that was paid for; null if none was. */
  paid: Plan | null;
  /** The previous plan. */
  from: Plan | null;
  onClose: () => void;
};

const change = (was: string, is: string): string | null => (was === is ? null : `${was} → ${is}`);

/**
 * Returns the changes between two plans, one per line; empty when only the billing period changes.
 */
function changesOf(was: OfferedPlan | undefined, is: OfferedPlan | undefined) {
  if (was === undefined || is === undefined) return [];
  const lines = [
    { label: t('Storage'), text: change(sizeWords(was.storage_limit), sizeWords(is.storage_limit)) },
    { label: t('Extra addresses'), text: change(String(was.address_limit), String(is.address_limit)) },
    { label: t('Domains'), text: change(String(was.domain_limit), String(is.domain_limit)) },
    { label: t('Members'), text: change(String(was.member_limit), String(is.member_limit)) },
  ];
  return lines.filter(({ text }) => text !== null);
}

function Waiting() {
  const isLate = useLater(PAYMENT_PATIENCE_MS);
  return isLate ? (
    <Banner
      tone="warn"
      role="status"
      icon={<Hourglass size={18} />}
      title={t('Stripe hasn’t confirmed the payment yet')}
    >
      {t(
        'Nothing is lost. Your plan changes automatically once the payment is confirmed. You can leave this page.',
      )}
    </Banner>
  ) : (
    <Banner tone="info" role="status" icon={<Spinner size={18} />}>
      {t('Waiting for Stripe to confirm your payment…')}
    </Banner>
  );
}

/** A banner above the plans. */
export function PaymentResult({ status, paid, from, onClose }: PaymentResultProps) {
  const done = (
    <Button size="xs" variant="inherit" onClick={onClose}>
      {t('Done')}
    </Button>
  );
  if (paid === null)
    return (
      <Banner tone="neutral" role="status" icon={<CircleSlash2 size={18} />} actions={done}>
        {t('No payment was made, and your plan hasn’t changed.')}
      </Banner>
    );
  if (!hasCome(status, paid)) return <Waiting />;
  const offerOf = (plan: Plan | null) => status.plans.find(one => one.plan === plan);
  const changes = changesOf(offerOf(from), offerOf(status.plan));
  return (
    <Banner
      tone="secure"
      role="status"
      icon={<BadgeCheck size={18} />}
      title={t('You’re now on the {plan} plan', { plan: planNames[status.plan] })}
      actions={done}
    >
      {changes.length === 0
        ? status.period === 'yearly'
          ? t('Billed yearly.')
          : t('Billed monthly.')
        : changes.map(({ label, text }) => (
            <div key={label} className="tabular-nums">
              {label}
              {t(': ')}
              <bdi dir="ltr">{text}</bdi>
            </div>
          ))}
    </Banner>
  );
}
