// Converts Outlook's recurrence blob ([MS-OXOCAL] 2.2.1.44.1) into an RFC 5545 rule. Single changed
// occurrences are not distinguished: they recur like the others.

import { viewOf } from '../bytes.ts';

const FREQUENCIES: Readonly<Record<number, string>> = {
  8202: 'DAILY',
  8203: 'WEEKLY',
  8204: 'MONTHLY',
  8205: 'YEARLY',
};
const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const END_AFTER_DATE = 0x2021;
const END_AFTER_COUNT = 0x2022;
const MINUTE_MS = 60_000;
const FROM_1601_MS = 11_644_473_600_000;
const DATES_MAX = 1_000;

export type Repetition = {
  /** The value of RRULE. */
  rule: string;
  /**
   * Midnights of the excluded days in the appointment's local time, expressed as if they were UTC.
   */
  leftOut: Date[];
};

const dayOf = (minutes: number): Date => new Date(minutes * MINUTE_MS - FROM_1601_MS);
const compactDay = (day: Date): string => day.toISOString().slice(0, 10).replaceAll('-', '');
const daysOf = (mask: number): string => DAYS.filter((_, index) => (mask & (1 << index)) !== 0).join(',');

/**
 * Returns the rule of a blob, or null when it is not a rule or uses a calendar other than the
 * Gregorian.
 */
export function findRepetition(blob: Uint8Array): Repetition | null {
  if (blob.length < 22) return null;
  const view = viewOf(blob);
  const frequency = FREQUENCIES[view.getUint16(4, true)];
  const pattern = view.getUint16(6, true);
  const calendar = view.getUint16(8, true);
  if (frequency === undefined || calendar > 1) return null;
  const period = view.getUint32(14, true);
  let at = 22;
  const next = (): number => {
    const value = at + 4 <= view.byteLength ? view.getUint32(at, true) : 0;
    at += 4;
    return value;
  };
  const parts: string[] = [];
  if (pattern === 1) parts.push(`BYDAY=${daysOf(next())}`);
  else if (pattern === 2 || pattern === 4) {
    const day = next();
    parts.push(`BYMONTHDAY=${day >= 31 || pattern === 4 ? -1 : day}`);
  } else if (pattern === 3) {
    const days = daysOf(next());
    const nth = next();
    parts.push(`BYDAY=${days}`, `BYSETPOS=${nth >= 5 ? -1 : nth}`);
  } else if (pattern !== 0) return null;
  const end = next();
  const count = next();
  next(); // the first day of the week
  const leftOutCount = Math.min(next(), DATES_MAX);
  const leftOut = Array.from({ length: leftOutCount }, next);
  const changed = new Set(Array.from({ length: Math.min(next(), DATES_MAX) }, next));
  next(); // the first day
  const lastDay = next();
  if (at > view.byteLength || parts.some(part => part.endsWith('='))) return null;
  // Daily periods are counted in minutes, yearly periods in months.
  const units =
    frequency === 'DAILY' && pattern === 0 ? period / 1440 : frequency === 'YEARLY' ? period / 12 : period;
  const interval = Math.floor(units);
  if (interval < 1 || interval > 1_000) return null;
  const limits =
    end === END_AFTER_COUNT && count > 0
      ? [`COUNT=${Math.min(count, 100_000)}`]
      : end === END_AFTER_DATE
        ? [`UNTIL=${compactDay(dayOf(lastDay))}T235959Z`]
        : [];
  const every = interval === 1 ? [] : [`INTERVAL=${interval}`];
  const kind = frequency === 'DAILY' && pattern === 1 ? 'WEEKLY' : frequency;
  return {
    rule: [`FREQ=${kind}`, ...every, ...parts, ...limits].join(';'),
    leftOut: leftOut.filter(minutes => !changed.has(minutes)).map(dayOf),
  };
}
