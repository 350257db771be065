// Texts for plans: names, limits, prices.
import type { OfferedPlan } from '@keyfold/contract';
import { type BillingPeriod, PLANS, type Plan } from '@keyfold/contract/plans';
import { formatLocale, t } from '../../lib/language.ts';
import { formatCount } from '../../lib/words.ts';

export const planNames = { free: 'Free', plus: 'Plus', pro: 'Pro' } as const;

const GIBIBYTE = 1024 ** 3;

/** Returns the plan that a text names, or null. */
export const findPlan = (text: string | null): Plan | null => PLANS.find(plan => plan === text) ?? null;

export const rankOf = (plan: Plan): number => PLANS.indexOf(plan);

/** Formats whole gibibytes, as in "50 GB". */
export const sizeWords = (bytes: number): string =>
  t('{count} GB', { count: formatCount(Math.round(bytes / GIBIBYTE)) });

/** Returns the features of a plan, one per line. */
export function featureLines(offered: OfferedPlan): readonly string[] {
  const size = sizeWords(offered.storage_limit);
  return [
    offered.plan === 'free' ? t('{size}, 500 MB more with your first contact', { size }) : size,
    t(
      '{addresses, plural, one {# extra address} other {# extra addresses}}, {domains, plural, one {# custom domain} other {# custom domains}}',
      { addresses: offered.address_limit, domains: offered.domain_limit },
    ),
    ...(offered.member_limit > 1
      ? [t('An organization with up to {count} members', { count: formatCount(offered.member_limit) })]
      : []),
    t('End-to-end encryption'),
    ...(offered.security_analytics ? [t('Security analytics')] : []),
  ];
}

/** Returns the price of a plan for one period; null where it is not sold or billing is disabled. */
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

/**
 * Returns the number of months that yearly billing saves, if it is whole and the same for every
 * plan; otherwise 0.
 */
export function freeMonths(all: readonly OfferedPlan[]): number {
  const months = all.flatMap(({ monthly, yearly }) =>
    monthly === null || yearly === null ? [] : [12 - yearly.amount / monthly.amount],
  );
  const [first = 0] = months;
  return months.every(one => one === first) && Number.isInteger(first) ? Math.max(0, first) : 0;
}

/**
 * Formats minor units (cents) of an ISO 4217 currency, as in "€4" or "€4.50"; whole amounts have no
 * decimals.
 */
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
