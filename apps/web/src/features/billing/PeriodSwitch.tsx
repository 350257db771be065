// Switches between monthly and yearly prices. Two radio buttons that look like one switch.
import type { BillingPeriod } from '@keyfold/contract/plans';
import { useId } from 'react';
import { t } from '../../lib/language.ts';

type PeriodSwitchProps = {
  period: BillingPeriod;
  /** Number of months that yearly billing saves; at 0 nothing is shown. */
  freeMonths: number;
  onChange: (period: BillingPeriod) => void;
};

/** Labeled "Billing period". */
export function PeriodSwitch({ period, freeMonths, onChange }: PeriodSwitchProps) {
  const name = useId();
  const choices: readonly { value: BillingPeriod; label: string }[] = [
    { value: 'monthly', label: t('Monthly') },
    {
      value: 'yearly',
      label:
        freeMonths > 0
          ? t('Yearly, {count, plural, one {# month} other {# months}} free', { count: freeMonths })
          : t('Yearly'),
    },
  ];
  return (
    <div
      role="radiogroup"
      aria-label={t('Billing period')}
      className="mb-4 inline-flex rounded-card bg-well p-1"
    >
      {choices.map(({ value, label }) => (
        <label
          key={value}
          className="relative flex h-9 items-center rounded-control px-3 text-control font-medium text-ink-2 has-checked:bg-raised has-checked:text-ink has-checked:shadow-low has-focus-visible:outline-3 has-focus-visible:outline-focus pointer-coarse:h-11"
        >
          {label}
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={value === period}
            onChange={() => onChange(value)}
            className="absolute inset-0 m-0 appearance-none outline-none"
          />
        </label>
      ))}
    </div>
  );
}
