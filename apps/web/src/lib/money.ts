// Amounts of money written for people, as the language writes them.
import { formatLocale } from './language.ts';

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
