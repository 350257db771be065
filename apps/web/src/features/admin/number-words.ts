// Formats the console's numbers: percentages, growth, averages, and last activity.
import { formatAgo, formatDay } from '../../lib/dates.ts';
import { formatLocale, t } from '../../lib/language.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats a percentage with at most one decimal, as in "88.1%"; `percent` is 0 to 100. */
export const formatPercent = (percent: number, isChange = false): string =>
  new Intl.NumberFormat(formatLocale(), {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: isChange ? 'exceptZero' : 'auto',
  }).format(percent / 100);

/** Returns a part of a whole in percent; 0 if the whole is 0. */
export const shareOf = (part: number, whole: number): number => (whole > 0 ? (100 * part) / whole : 0);

/** Formats a number with at most two decimals. */
export const formatAverage = (value: number): string =>
  new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 2 }).format(value);

/** Formats the last activity: relative within a week, otherwise the day; "Never" without a time. */
export function formatLastActive(at: string | null, now: Date): string {
  if (at === null) return t('Never');
  const then = new Date(at);
  const agoMs = Math.max(0, now.getTime() - then.getTime());
  if (agoMs >= 7 * DAY_MS) return formatDay(then);
  if (agoMs >= DAY_MS) return formatAgo(Math.floor(agoMs / DAY_MS), 'day');
  if (agoMs >= HOUR_MS) return formatAgo(Math.floor(agoMs / HOUR_MS), 'hour');
  return agoMs >= MINUTE_MS ? formatAgo(Math.floor(agoMs / MINUTE_MS), 'minute') : t('Just now');
}
