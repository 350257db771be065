// Plans in words: names, what they allow, what they cost.
import type { OfferedPlan } from '@keyfold/contract';
import { type BillingPeriod, PLANS, type Plan } from '@keyfold/contract/limits';
import { formatLocale, t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';

export const planNames = { free: 'Free', plus: 'Plus', pro: 'Pro' } as const;

const GIBIBYTE = 1024 ** 3;

/** The plan that a text names, or null. */
export const findPlan = (text: string | null): Plan | null => PLANS.find(plan => plan === text) ?? null;

export const rankOf = (plan: Plan): number => PLANS.indexOf(plan);

/** Whole gibibytes, as in "50 GB". */
export const sizeWords = (bytes: number): string =>
  t('{count} GB', { count: formatCount(Math.round(bytes / GIBIBYTE)) });

/** What a plan has, a line each. */
export function featureLines(offered: OfferedPlan): readonly string[] {
  const size = sizeWords(offered.storage_limit);
  return [
    offered.plan === 'free' ? t('{size}, 500 MB more with your first contact', { size }) : size,
    t(
      '{addresses, plural, one {# more address} other {# more addresses}}, {domains, plural, one {# domain of your own} other {# domains of your own}}',
      { addresses: offered.address_limit, domains: offered.domain_limit },
    ),
    ...(offered.member_limit > 1
      ? [t('An organisation of up to {count} people', { count: formatCount(offered.member_limit) })]
      : []),
    t('End-to-end encryption'),
    ...(offered.security_analytics ? [t('Security analytics')] : []),
  ];
}

/** What a plan costs for one period; null where it is not sold, or nobody takes payments. */
export function priceWords(
  offered: OfferedPlan,
  period: BillingPeriod,
  all: readonly OfferedPlan[],
): string | null {
  const price = offered[period];
  if (price !== null) return formatMoney(price.amount, price.currency);
  const known = all.find(one => one[period] !== null)?.[period];
  return offered.plan === 'free' && known != null ? formatMoney(0, known.currency) : null;
}

/** Months of a year that a yearly price gives, of whole ones and the same for every plan; 0 when there are none. */
export function freeMonths(all: readonly OfferedPlan[]): number {
  const months = all.flatMap(({ monthly, yearly }) =>
    monthly === null || yearly === null ? [] : [12 - yearly.amount / monthly.amount],
  );
  const [first = 0] = months;
  return months.every(one => one === first) && Number.isInteger(first) ? Math.max(0, first) : 0;
}

/** Minor units (cents) of a currency of ISO 4217 as in "€4" or "€4.50"; whole amounts without decimals. */
export function formatMoney(minorUnits: number, currency: string, locale = formatLocale()): string {
  const style = { style: 'currency', currency } as const;
  const decimals = new Intl.NumberFormat(locale, style).resolvedOptions().maximumFractionDigits ?? 2;
  const value = minorUnits / 10 ** decimals;
  const shown = Number.isInteger(value) ? 0 : decimals;
  return new Intl.NumberFormat(locale, {
    ...style,
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(value);
}
