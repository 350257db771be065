// Parses every date: header fields, mbox separators, and what programs write instead of RFC 5322
// §3.3 (months in any language, zone names or none, two-digit years, ISO 8601, dashes, wrong
// weekdays). Text that is not a date yields null; there is no fallback to today.

import { findMonths, findWeekdays, foldName } from './names.ts';
import { findOffset } from './zones.ts';

/** An instant, and whether the text stated a time zone; otherwise UTC is assumed. */
export type ReadDate = {
  iso: string; // ISO 8601, UTC
  hasZone: boolean;
};

const MAX_CHARACTERS = 200;

type Clock = {
  hours: number;
  minutes: number;
  seconds: number;
};
type Day = {
  year: number;
  month: number; // 0 to 11
  day: number;
};

/** Converts digits of every script to ASCII. */
const plainDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) ?? 0;
    // Each set of ten digits starts at a code point that does not follow another digit.
    let zero = code;
    while (zero > code - 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return code < 0x80 ? digit : String((code - zero) % 10);
  });

const CLOCK =
  /(?:(上午|下午|午前|午後|오전|오후)\s*)?\b(\d{1,2})(?::([0-5]?\d)(?::(\d{1,2}))?|[.h]([0-5]\d)(?:[.:m]([0-5]\d))?(?![.\d]))(?:[.,]\d{1,9})?\s*(?:(a\.?m|p\.?m)\b\.?)?/i;
const NUMERIC_ZONE = /^\s*(?:(?:GMT|UTC?)\s*)?[+\-\u2212\u2013]\s*\d{1,2}(?::?[0-5]\d)?(?!\d)/i;

function readClock(match: RegExpExecArray): Clock | null {
  const [, before, hour, minute, second, dotMinute, dotSecond, after] = match;
  let hours = Number(hour);
  const minutes = Number(minute ?? dotMinute);
  const seconds = Math.min(59, Number(second ?? dotSecond ?? 0));
  const half = /^p|下午|午後|오후/i.test(before ?? after ?? '') ? 12 : before || after ? 0 : null;
  if (half !== null && hours <= 12) hours = (hours % 12) + half;
  if (hours > 24 || minutes > 59 || (hours === 24 && minutes > 0)) return null;
  return { hours, minutes, seconds };
}

/**
 * Completes a year. RFC 5322 §4.3: two digits mean 1950 to 2049, three digits count from 1900. Thai
 * calendar years are 543 higher.
 */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 2) return year < 50 ? year + 2000 : year + 1900;
  if (text.length === 3) return year + 1900;
  return year > 2400 && year < 2700 ? year - 543 : year;
}

/** Mail cannot be older. */
const EARLIEST_YEAR = 1900;

function isReal({ year, month, day }: Day): boolean {
  const date = new Date(Date.UTC(year, month, day));
  return year >= EARLIEST_YEAR && date.getUTCMonth() === month && date.getUTCDate() === day;
}

/**
 * Returns the first of these days that exists, preferring one that falls on a weekday named by one
 * of the words.
 */
function pickDay(days: readonly Day[], words: readonly string[]): Day | null {
  const real = days.filter(isReal);
  if (real.length < 2) return real[0] ?? null;
  const weekdays = words.flatMap(findWeekdays);
  return (
    real.find(({ year, month, day }) =>
      weekdays.includes(new Date(Date.UTC(year, month, day)).getUTCDay()),
    ) ??
    real[0] ??
    null
  );
}

const YEAR_FIRST = /(?<!\d)(\d{4})\s*[-/.年년]\s*(\d{1,2})\s*[-/.月월]\s*(\d{1,2})(?!\d)/;
const YEAR_LAST = /(?<!\d)([0-3]?\d)\s*([-/.])\s*([0-3]?\d)\s*[-/.]\s*(\d{4}|\d{2}(?!.*\b\d{4}\b))(?!\d)/;
const PACKED = /(?<!\d)((?:19|20)\d\d)(\d\d)(\d\d)(?=T|\s|$)/;

function readNumericDay(text: string, words: readonly string[], isAmerican: boolean): Day | null {
  const first = YEAR_FIRST.exec(text) ?? PACKED.exec(text);
  if (first)
    return pickDay(
      [{ year: fullYear(first[1] ?? ''), month: Number(first[2]) - 1, day: Number(first[3]) }],
      [],
    );
  const last = YEAR_LAST.exec(text);
  if (!last) return null;
  const [, one = '', sign, two = '', year = ''] = last;
  const dayFirst = { year: fullYear(year), month: Number(two) - 1, day: Number(one) };
  const monthFirst = { year: fullYear(year), month: Number(one) - 1, day: Number(two) };
  // Slashes alone are ambiguous; most programs that write them are American.
  return pickDay(sign === '/' || isAmerican ? [monthFirst, dayFirst] : [dayFirst, monthFirst], words);
}

function readNamedDay(text: string, words: readonly string[]): Day | null {
  const numbered = /(?:(?<![\d年년])(\d{1,2})\s*[月월]|\bth(?:ang|g)\s*(\d{1,2})\b)/.exec(text);
  const named = words.filter(word => findMonths(word).length > 0);
  // `mar` is Tuesday in some languages and March in others: next to another month it is the
  // weekday.
  const month = named.find((word, index) => index === named.length - 1 || findWeekdays(word).length === 0);
  const months = numbered ? [Number(numbered[1] ?? numbered[2]) - 1] : month ? findMonths(month) : [];
  if (!months.length) return null;
  const rest = numbered ? text.replace(numbered[0], ' ') : text;
  const numbers = rest.match(/(?<!\d)\d{1,4}(?!\d)/g) ?? [];
  const yearAt = numbers.findIndex(number => number.length > 2);
  const yearText = yearAt >= 0 ? numbers[yearAt] : numbers.at(-1);
  const dayText = numbers.find((_, index) => index !== (yearAt >= 0 ? yearAt : numbers.length - 1));
  if (yearText === undefined || dayText === undefined) return null;
  const year = fullYear(yearText);
  return pickDay(
    months.map(number => ({ year, month: number, day: Number(dayText) })),
    words.filter(word => word !== month),
  );
}

/** After the year, where mbox separators have it. */
const ZONE_AFTER_YEAR = /^(.*\b\d{4})\s+([+\-\u2212]\d{2}:?[0-5]\d)(?!\d)/;

const NAME =
  /[A-Za-z]{1,5}(?:\s+(?:standard|daylight)\s+time)?\b|(?:eastern|central|mountain|pacific)\s+(?:standard|daylight)\s+time\b/gi;

/** Returns the zone in the text after the clock time, and the rest of that text. */
function readZone(after: string, comments: readonly string[]): { offset: number | null; rest: string } {
  const numeric = NUMERIC_ZONE.exec(after);
  // `-30-Aug` continues with the day, `+0200 2007` does not.
  if (numeric && !/^[-/.]\d/.test(after.slice(numeric[0].length))) {
    const offset = findOffset(numeric[0]);
    return { offset, rest: after.slice(numeric[0].length) };
  }
  for (const match of after.matchAll(NAME)) {
    const offset = findOffset(match[0]);
    if (offset !== null) {
      const more = after.slice(match.index + match[0].length);
      const moved = NUMERIC_ZONE.exec(more);
      const known = (moved ? findOffset(moved[0]) : null) ?? offset;
      return { offset: known, rest: after.slice(0, match.index) + more.slice(moved?.[0].length ?? 0) };
    }
  }
  const late = ZONE_AFTER_YEAR.exec(after);
  const lateOffset = findOffset(late?.[2] ?? '');
  if (lateOffset !== null) return { offset: lateOffset, rest: late?.[1] ?? '' };
  for (const comment of comments) {
    const offset = findOffset(comment);
    if (offset !== null) return { offset, rest: after };
  }
  return { offset: null, rest: after };
}

const STANDARD =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):([0-5]\d):([0-5]\d) ([+-]\d\d[0-5]\d|GMT)(?: \([A-Z]{1,5}\))?$/;

/** Parses a date in the standard form, which nearly all have. */
function readStandard(value: string): ReadDate | null {
  const match = STANDARD.exec(value);
  if (!match) return null;
  const [, day, name = '', year, hours, minutes, seconds, zone = ''] = match;
  const [month = 0] = findMonths(name.toLowerCase());
  const offset = findOffset(zone);
  if (offset === null || Number(hours) > 23 || !isReal({ year: Number(year), month, day: Number(day) }))
    return null;
  const time = Date.UTC(Number(year), month, Number(day), Number(hours), Number(minutes), Number(seconds));
  return { iso: new Date(time - offset * 60_000).toISOString(), hasZone: true };
}

/** Returns the instant that a text names, or null when it is not a date. Never fails. */
export function readDate(value: string): ReadDate | null {
  const standard = readStandard(value);
  if (standard) return standard;
  if (value.length > MAX_CHARACTERS * 4) return null;
  const comments: string[] = [];
  const text = plainDigits(
    value
      .replace(/\(([^()]*)\)/g, (_: string, comment: string) => {
        comments.push(comment);
        return ' ';
      })
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_CHARACTERS),
  );
  const numericDay = YEAR_FIRST.exec(text) ?? YEAR_LAST.exec(text);
  // A date with dots looks like a clock time, so the date is blanked out before the search for the
  // time.
  const searched = numericDay ? text.replace(numericDay[0], match => ' '.repeat(match.length)) : text;
  const clockMatch = CLOCK.exec(searched.replace(/(\d)T(?=\d)|^( +)T(?=\d)/, '$1$2 '));
  const clock = clockMatch ? readClock(clockMatch) : { hours: 0, minutes: 0, seconds: 0 };
  if (clock === null) return null;
  const at = clockMatch?.index ?? text.length;
  const { offset, rest } = readZone(clockMatch ? text.slice(at + clockMatch[0].length) : '', comments);
  const left = `${text.slice(0, at)} ${rest}`;
  const words = (left.match(/[\p{L}\p{M}.]+/gu) ?? []).map(foldName).filter(Boolean);
  const isAmerican = /^[ap]/i.test(clockMatch?.[7] ?? '');
  const day = readNumericDay(left, words, isAmerican) ?? readNamedDay(left, words);
  if (day === null) return null;
  const time = Date.UTC(day.year, day.month, day.day, clock.hours, clock.minutes, clock.seconds);
  const moment = time - (offset ?? 0) * 60_000;
  return { iso: new Date(moment).toISOString(), hasZone: offset !== null };
}
