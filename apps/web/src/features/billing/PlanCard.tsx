// One plan: its price, its features, and the button to choose it.
import type { OfferedPlan } from '@keyfold/contract';
import type { BillingPeriod } from '@keyfold/contract/plans';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../../lib/class-names.ts';
import { t } from '../../lib/language.ts';
import { featureLines, planNames } from './plan-words.ts';

type PlanCardProps = {
  offered: OfferedPlan;
  period: BillingPeriod;
  /** As in "€4"; null hides it. */
  price: string | null;
  /** Shown beside the name, such as a pill. */
  badge?: ReactNode;
  /** Whether the card is highlighted. */
  isMarked: boolean;
  /** Actions at the bottom of the card. */
  children?: ReactNode;
};

/** A card as tall as its neighbors. */
export function PlanCard({ offered, period, price, badge, isMarked, children }: PlanCardProps) {
  const name = planNames[offered.plan];
  return (
    <section
      aria-label={name}
      className={cn(
        'flex flex-col rounded-card border bg-surface p-5',
        isMarked ? 'border-accent' : 'border-line',
      )}
    >
      <div className="flex min-h-[22px] items-center gap-2">
        <h2 className="flex-1 text-pane font-semibold">{name}</h2>
        {badge}
      </div>
      {price !== null && (
        <p className="mt-1.5">
          <span className="text-number font-semibold tracking-tight tabular-nums">{price}</span>{' '}
          <span className="text-control text-ink-3">
            {period === 'monthly' ? t('per month') : t('per year')}
          </span>
        </p>
      )}
      <ul className="mt-3 flex flex-col gap-2 text-control text-ink-2">
        {featureLines(offered).map(line => (
          <li key={line} className="flex gap-2">
            <Check aria-hidden size={15} className="mt-0.5 shrink-0 text-success" />
            {line}
          </li>
        ))}
      </ul>
      <div className="mt-auto flex flex-col gap-2 pt-5 empty:hidden">{children}</div>
    </section>
  );
}
