// Formats the times of events: in full, in the user's language; in English always in the long US
// form of the specification, whatever the region (docs/spec-map.md 9.23,
// docs/interpretations.md#79).
import type { Invitation } from '@keyfold/mail/ics/invitation';
import type { Moment } from '@keyfold/mail/ics/times';
import { formatLocale } from '../../lib/language.ts';
import { readerZone } from '../../lib/wall-time.ts';

/** Messages to others are in English, including their dates. */
export const messageLocale = 'en-US';
const DAY_MS = 86_400_000;

const localeOf = (locale: string): string => (locale.split('-')[0] === 'en' ? messageLocale : locale);

const formats = new Map<string, Intl.DateTimeFormat>();

function format(options: Intl.DateTimeFormatOptions, locale = localeOf(formatLocale())): Intl.DateTimeFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, options);
    formats.set(key, found);
  }
  return found;
}

/**
 * An all-day event has no time zone: it is formatted in UTC, so that no local time zone shifts it.
 */
const dateOf = ({ isDate, local, instant }: Moment): Date =>
  new Date(isDate ? `${local}T00:00:00Z` : instant);

const fullDay = (at: Date, timeZone: string, locale?: string): string =>
  format({ dateStyle: 'full', timeZone }, locale).format(at);
const time = (at: Date, timeZone: string, locale?: string): string =>
  format({ timeStyle: 'short', timeZone }, locale).format(at);

/** `Thursday, November 27, 2026 at 8:00 PM`, or the day alone. */
export function formatMoment(moment: Moment, zone = readerZone(), locale?: string): string {
  const at = dateOf(moment);
  if (moment.isDate) return fullDay(at, 'UTC', locale);
  return format({ dateStyle: 'full', timeStyle: 'short', timeZone: zone }, locale).format(at);
}

/**
 * Formats start and end as briefly as possible: one day, one day with two times, or two date-times.
 */
export function formatSpan(start: Moment, end: Moment, zone = readerZone(), locale?: string): string {
  if (start.isDate) {
    const last = new Date(dateOf(end).getTime() - DAY_MS);
    const from = fullDay(dateOf(start), 'UTC', locale);
    return last.getTime() <= dateOf(start).getTime() ? from : `${from} – ${fullDay(last, 'UTC', locale)}`;
  }
  const from = formatMoment(start, zone, locale);
  if (start.instant === end.instant) return from;
  const isSameDay = fullDay(dateOf(start), zone) === fullDay(dateOf(end), zone);
  return `${from} – ${isSameDay ? time(dateOf(end), zone, locale) : formatMoment(end, zone, locale)}`;
}

/**
 * Returns the time in the event's own time zone, if it differs from the user's time; otherwise
 * null.
 */
export function formatOwnZone(
  { start, end }: Pick<Invitation, 'start' | 'end'>,
  zone = readerZone(),
): string | null {
  if (start.isDate || start.zone === null || start.zone === 'UTC' || start.zone === zone) return null;
  const there = formatSpan(start, end, start.zone);
  if (there === formatSpan(start, end, zone)) return null;
  const [from, to] = [dateOf(start), dateOf(end)];
  const isSameDay = [from, to].every(at => fullDay(at, start.zone ?? zone) === fullDay(from, zone));
  if (!isSameDay) return there;
  const times = [from, to].map(at => time(at, start.zone ?? zone));
  return start.instant === end.instant ? (times[0] ?? there) : times.join(' – ');
}

/** Month and day for the tile: `NOV`, `27`. */
export function tileOf(
  moment: Moment,
  zone = readerZone(),
): { readonly month: string; readonly day: string } {
  const at = dateOf(moment);
  const timeZone = moment.isDate ? 'UTC' : zone;
  return {
    month: format({ month: 'short', timeZone })
      .format(at)
      .replace(/\.$/, '')
      .toLocaleUpperCase(formatLocale()),
    // Only the digits: some languages add a word.
    day: /\p{Nd}+/u.exec(format({ day: 'numeric', timeZone }).format(at))?.[0] ?? '',
  };
}

/** Formats the day on which a repetition ends. */
export const formatDay = (moment: Moment, zone = readerZone()): string =>
  format({ dateStyle: 'long', timeZone: moment.isDate ? 'UTC' : zone }).format(dateOf(moment));

const names = (kind: 'weekday' | 'month', index: number): string =>
  kind === 'weekday'
    ? format({ weekday: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2023, 0, 1 + index)))
    : format({ month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2023, index - 1, 1)));

/** `Monday`; 0 is Sunday. */
export const weekdayName = (weekday: number): string => names('weekday', weekday);
/** `March`; 1 is January. */
export const monthName = (month: number): string => names('month', month);
