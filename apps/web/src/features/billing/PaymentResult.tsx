// What came of a payment, for who comes back from Stripe: nothing was paid, it is being confirmed, or what has changed.
import type { OfferedPlan, SubscriptionStatus } from '@keyfold/contract';
import type { Plan } from '@keyfold/contract/limits';
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
  /** What was paid for; null when nothing was. */
  paid: Plan | null;
  /** The plan before. */
  from: Plan | null;
  onClose: () => void;
};

const change = (was: string, is: string): string | null => (was === is ? null : `${was} → ${is}`);

/** What another plan changed, a line each; of a change of the period alone nothing. */
function changesOf(was: OfferedPlan | undefined, is: OfferedPlan | undefined) {
  if (was === undefined || is === undefined) return [];
  const lines = [
    { label: t('Storage'), text: change(sizeWords(was.storage_limit), sizeWords(is.storage_limit)) },
    { label: t('More addresses'), text: change(String(was.address_limit), String(is.address_limit)) },
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
      title={t('Stripe has not confirmed yet')}
    >
      {t('Nothing is lost: your plan comes by itself once it has. You can leave this page.')}
    </Banner>
  ) : (
    <Banner tone="info" role="status" icon={<Spinner size={18} />}>
      {t('Waiting for Stripe to confirm your payment…')}
    </Banner>
  );
}

/** A strip above the plans. */
export function PaymentResult({ status, paid, from, onClose }: PaymentResultProps) {
  const done = (
    <Button size="xs" variant="inherit" onClick={onClose}>
      {t('Done')}
    </Button>
  );
  if (paid === null)
    return (
      <Banner tone="neutral" role="status" icon={<CircleSlash2 size={18} />} actions={done}>
        {t('Nothing was paid, and your plan is as it was.')}
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
      title={t('You are on the {plan} plan now', { plan: planNames[status.plan] })}
      actions={done}
    >
      {changes.length === 0
        ? status.period === 'yearly'
          ? t('It is paid by the year.')
          : t('It is paid by the month.')
        : changes.map(({ label, text }) => (
            <div key={label} className="tabular-nums">
              {label}: <bdi dir="ltr">{text}</bdi>
            </div>
          ))}
    </Banner>
  );
}
