// Formats points in time: short in lists, full in details, a countdown for deleted messages.
// Contains no product texts. Every function takes the current time, and the locale if it is not the
// user's. docs/interface.md#languages.

import { formatLocale } from './language.ts';
import { toWall, zoneOption } from './time-zone.ts';

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Intl formatters are slow to create (about 50 µs) and a list needs many, so each is cached. */
function format(locale: string, options: Intl.DateTimeFormatOptions, at: Date): string {
  const key = `${locale}|${JSON.stringify(options)}`;
  let formatter = formats.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(locale, { ...zoneOption(), ...options });
    formats.set(key, formatter);
  }
  return formatter.format(at);
}

const clocks = new Map<string, Intl.DateTimeFormatOptions>();

/**
 * Returns options for hours and minutes in the locale's clock: "9:41 AM", but "09:41" for a 24-hour
 * clock.
 */
export function clockOptions(locale: string): Intl.DateTimeFormatOptions {
  let options = clocks.get(locale);
  if (options === undefined) {
    const isHalfDay = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions().hour12 === true;
    options = { hour: isHalfDay ? 'numeric' : '2-digit', minute: '2-digit' };
    clocks.set(locale, options);
  }
  return options;
}

const dayOf = (at: Date): number => Math.floor(toWall(at).getTime() / DAY_MS);
const yearOf = (at: Date): number => toWall(at).getUTCFullYear();

/** Returns whole calendar days from `earlier` to `later`; negative when the order is reversed. */
const daysBetween = (earlier: Date, later: Date): number => dayOf(later) - dayOf(earlier);

/**
 * Formats the date of a list row: the time for today, the weekday for the last six days, else day
 * and month, plus the year if it differs.
 */
export function formatListDate(at: Date, now: Date, locale = formatLocale()): string {
  if (Number.isNaN(at.getTime())) return '';
  const days = daysBetween(at, now);
  if (days === 0) return format(locale, clockOptions(locale), at);
  if (days > 0 && days < 7) return format(locale, { weekday: 'short' }, at);
  if (yearOf(at) === yearOf(now)) return format(locale, { day: 'numeric', month: 'short' }, at);
  return format(locale, { day: 'numeric', month: 'short', year: 'numeric' }, at);
}

/**
 * Formats the date of a message header: the time for today, weekday and time for the last six days,
 * else date and time.
 */
export function formatMessageDate(at: Date, now: Date, locale = formatLocale()): string {
  if (Number.isNaN(at.getTime())) return '';
  const days = daysBetween(at, now);
  const time = clockOptions(locale);
  if (days === 0) return format(locale, time, at);
  if (days > 0 && days < 7) return format(locale, { weekday: 'short', ...time }, at);
  const year = yearOf(at) === yearOf(now) ? {} : ({ year: 'numeric' } as const);
  return format(locale, { day: 'numeric', month: 'short', ...year, ...time }, at);
}

/**
 * Formats date and time in full, for tooltips and details. Returns an empty string for an invalid
 * date.
 */
export function formatFullDate(at: Date, locale = formatLocale()): string {
  if (Number.isNaN(at.getTime())) return '';
  return format(locale, { dateStyle: 'full', timeStyle: 'short' }, at);
}

/** Formats a day with its year, as in "Verified 14 Nov 2026". */
export const formatDay = (at: Date, locale = formatLocale()): string =>
  format(locale, { dateStyle: 'medium' }, at);

/** Formats hours and minutes, as in "Draft saved 09:44". */
export function formatClock(at: Date, locale = formatLocale()): string {
  return format(locale, clockOptions(locale), at);
}

/** Formats a past time by its distance, as in "12 seconds ago"; one day ago is "yesterday". */
export function formatAgo(count: number, unit: 'second' | 'minute' | 'hour' | 'day'): string {
  const numeric = unit === 'day' ? 'auto' : 'always';
  return new Intl.RelativeTimeFormat(formatLocale(), { numeric, style: 'long' }).format(-count, unit);
}

/** Returns the days until `at`, rounded up and never below 0, as in "27 days left". */
export function daysLeft(at: Date, now: Date): number {
  return Math.max(0, Math.ceil((at.getTime() - now.getTime()) / DAY_MS));
}
