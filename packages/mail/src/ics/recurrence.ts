// Recurrence rules of an event (RFC 5545 section 3.3.10): parsing, and the wall times they produce.
// The number of examined periods bounds every loop, so every rule terminates.
import { ICS_MAX_PERIODS } from '../limits.ts';
import { DAY_MS, daysInMonth, fieldsOf, readWall, timeOfDay, wallOf } from './wall-time.ts';

export const FREQUENCIES = [
  'YEARLY',
  'MONTHLY',
  'WEEKLY',
  'DAILY',
  'HOURLY',
  'MINUTELY',
  'SECONDLY',
] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'] as const;

/**
 * A weekday, 0 for Sunday. `nth` 2 is the second in its month or year, -1 the last, 0 every one.
 */
export type RuleDay = { readonly weekday: number; readonly nth: number };

export type Rule = {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | null;
  /** Last moment: a wall time of the event's zone, or of UTC when `isUntilUtc`. */
  readonly until: number | null;
  readonly isUntilUtc: boolean;
  readonly isUntilDate: boolean;
  readonly days: readonly RuleDay[];
  readonly months: readonly number[];
  readonly monthDays: readonly number[];
  readonly yearDays: readonly number[];
  readonly weekNumbers: readonly number[];
  readonly positions: readonly number[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
  readonly weekStart: number;
};

const listOf = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

const numbersOf = (value: unknown, min: number, max: number): number[] =>
  listOf(value)
    .map(Number)
    .filter(one => Number.isInteger(one) && one >= min && one <= max)
    .slice(0, 400);

function daysOf(value: unknown): RuleDay[] {
  return listOf(value)
    .flatMap(one => {
      const found = /^([-+]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/i.exec(String(one).trim());
      const weekday = WEEKDAYS.indexOf((found?.[2] ?? '').toUpperCase() as (typeof WEEKDAYS)[number]);
      return weekday < 0 ? [] : [{ weekday, nth: Number(found?.[1] ?? 0) }];
    })
    .slice(0, 100);
}

/**
 * Reads a rule from the jCal value of ical.js. Returns null when it holds nothing that can be
 * followed.
 */
export function readRule(value: unknown): Rule | null {
  if (typeof value !== 'object' || value === null) return null;
  const raw = value as Readonly<Record<string, unknown>>;
  const frequency = FREQUENCIES.find(one => one === String(raw.freq).toUpperCase());
  if (frequency === undefined) return null;
  const until = raw.until === undefined ? null : readWall(String(raw.until));
  const count = Number(raw.count);
  const interval = Number(raw.interval ?? 1);
  return {
    frequency,
    interval: Number.isInteger(interval) && interval >= 1 && interval <= 10_000 ? interval : 1,
    count: Number.isInteger(count) && count >= 1 ? count : null,
    until: until?.wall ?? null,
    isUntilUtc: until?.isUtc ?? false,
    isUntilDate: until?.isDate ?? false,
    days: daysOf(raw.byday),
    months: numbersOf(raw.bymonth, 1, 12),
    monthDays: numbersOf(raw.bymonthday, -31, 31).filter(day => day !== 0),
    yearDays: numbersOf(raw.byyearday, -366, 366).filter(day => day !== 0),
    weekNumbers: numbersOf(raw.byweekno, -53, 53).filter(week => week !== 0),
    positions: numbersOf(raw.bysetpos, -366, 366).filter(position => position !== 0),
    hours: numbersOf(raw.byhour, 0, 23),
    minutes: numbersOf(raw.byminute, 0, 59),
    seconds: numbersOf(raw.bysecond, 0, 59),
    weekStart: typeof raw.wkst === 'number' ? (raw.wkst + 6) % 7 : (daysOf(raw.wkst)[0]?.weekday ?? 1),
  };
}

/**
 * Returns the days (wall times of midnight) that match the rule's weekdays, ordinals applied,
 * within `length` days from `first`.
 */
function weekdaysIn(first: number, length: number, days: readonly RuleDay[]): number[] {
  const found: number[] = [];
  for (const { weekday, nth } of days) {
    const start = (weekday - fieldsOf(first).weekday + 7) % 7;
    const total = Math.floor((length - 1 - start) / 7) + 1;
    if (nth === 0) for (let at = 0; at < total; at++) found.push(first + (start + at * 7) * DAY_MS);
    else {
      const at = nth > 0 ? nth - 1 : total + nth;
      if (at >= 0 && at < total) found.push(first + (start + at * 7) * DAY_MS);
    }
  }
  return found;
}

function monthDaysIn(year: number, month: number, rule: Rule, startDay: number): number[] {
  const length = daysInMonth(year, month);
  const first = wallOf(year, month, 1);
  if (rule.monthDays.length > 0) {
    const days = rule.monthDays
      .map(day => (day > 0 ? day : length + 1 + day))
      .filter(day => day >= 1 && day <= length)
      .map(day => first + (day - 1) * DAY_MS);
    return rule.days.length === 0 ? days : days.filter(day => isOn(day, rule.days));
  }
  if (rule.days.length > 0) return weekdaysIn(first, length, rule.days);
  return startDay <= length ? [first + (startDay - 1) * DAY_MS] : [];
}

const isOn = (day: number, days: readonly RuleDay[]): boolean =>
  days.some(({ weekday }) => weekday === fieldsOf(day).weekday);

const weekOf = (day: number, weekStart: number): number =>
  day - ((fieldsOf(day).weekday - weekStart + 7) % 7) * DAY_MS;

function yearDaysIn(year: number, rule: Rule, start: number): number[] {
  const first = wallOf(year, 1, 1);
  const length = (wallOf(year + 1, 1, 1) - first) / DAY_MS;
  const { month, day, weekday } = fieldsOf(start);
  if (rule.yearDays.length > 0)
    return rule.yearDays
      .map(one => first + (one > 0 ? one - 1 : length + one) * DAY_MS)
      .filter(one => rule.months.length === 0 || rule.months.includes(fieldsOf(one).month));
  if (rule.weekNumbers.length > 0) {
    // Week 1 is the week that contains January 4.
    const one = weekOf(wallOf(year, 1, 4), rule.weekStart);
    const weeks = (weekOf(wallOf(year + 1, 1, 4), rule.weekStart) - one) / (7 * DAY_MS);
    const days = rule.days.length > 0 ? rule.days : [{ weekday, nth: 0 }];
    return rule.weekNumbers.flatMap(number => {
      const at = number > 0 ? number - 1 : weeks + number;
      return at >= 0 && at < weeks
        ? weekdaysIn(
            one + at * 7 * DAY_MS,
            7,
            days.map(({ weekday: on }) => ({ weekday: on, nth: 0 })),
          )
        : [];
    });
  }
  if (rule.days.length > 0 && rule.months.length === 0 && rule.monthDays.length === 0)
    return weekdaysIn(first, length, rule.days);
  const isEveryMonth = rule.monthDays.length > 0 && rule.months.length === 0;
  const months = rule.months.length > 0 ? rule.months : isEveryMonth ? ALL_MONTHS : [month];
  return months.flatMap(one => monthDaysIn(year, one, rule, day));
}

const ALL_MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

function isAllowed(day: number, rule: Rule): boolean {
  const { year, month, day: dayOfMonth } = fieldsOf(day);
  return (
    (rule.months.length === 0 || rule.months.includes(month)) &&
    (rule.monthDays.length === 0 ||
      rule.monthDays.some(one => (one > 0 ? one : daysInMonth(year, month) + 1 + one) === dayOfMonth)) &&
    (rule.days.length === 0 || isOn(day, rule.days))
  );
}

/** Returns the days of the period `index` intervals after the start's. */
function daysOfPeriod(rule: Rule, start: number, index: number): number[] {
  const { year, month, day } = fieldsOf(start);
  const midnight = start - timeOfDay(start);
  const step = index * rule.interval;
  switch (rule.frequency) {
    case 'YEARLY':
      return yearDaysIn(year + step, rule, start);
    case 'MONTHLY': {
      const at = fieldsOf(wallOf(year, month + step, 1));
      if (rule.months.length > 0 && !rule.months.includes(at.month)) return [];
      return monthDaysIn(at.year, at.month, rule, day);
    }
    case 'WEEKLY': {
      const week = weekOf(midnight, rule.weekStart) + step * 7 * DAY_MS;
      const wanted = rule.days.length > 0 ? rule.days : [{ weekday: fieldsOf(start).weekday, nth: 0 }];
      const days = weekdaysIn(
        week,
        7,
        wanted.map(({ weekday }) => ({ weekday, nth: 0 })),
      );
      return days.filter(one => rule.months.length === 0 || rule.months.includes(fieldsOf(one).month));
    }
    default: {
      const one = midnight + step * DAY_MS;
      return isAllowed(one, rule) ? [one] : [];
    }
  }
}

const PERIOD_MS: Readonly<Partial<Record<Frequency, number>>> = {
  WEEKLY: 7 * DAY_MS,
  DAILY: DAY_MS,
  HOURLY: 3_600_000,
  MINUTELY: 60_000,
  SECONDLY: 1000,
};

/** Maximum number of times used from one period, and of times examined for a whole rule. */
const MAX_TIMES = 1_440;
const MAX_LOOKED_AT = 100_000;

const orStart = (values: readonly number[], start: number): readonly number[] =>
  values.length > 0 ? values : [start];

/**
 * Returns the times of day, in milliseconds since midnight, of a rule whose frequency is daily or
 * longer.
 */
function timesOf(rule: Rule, start: number): number[] {
  const time = timeOfDay(start);
  return timesIn(
    orStart(rule.hours, Math.floor(time / 3_600_000)),
    orStart(rule.minutes, Math.floor(time / 60_000) % 60),
    orStart(rule.seconds, Math.floor(time / 1000) % 60),
  );
}

const timesIn = (
  hours: readonly number[],
  minutes: readonly number[],
  seconds: readonly number[],
): number[] =>
  hours
    .flatMap(hour =>
      minutes.flatMap(minute => seconds.map(second => ((hour * 60 + minute) * 60 + second) * 1000)),
    )
    .slice(0, MAX_TIMES);

function isYearDay(day: number, rule: Rule): boolean {
  if (rule.yearDays.length === 0) return true;
  const { year } = fieldsOf(day);
  const first = wallOf(year, 1, 1);
  const length = (wallOf(year + 1, 1, 1) - first) / DAY_MS;
  const at = (day - first) / DAY_MS + 1;
  return rule.yearDays.some(one => (one > 0 ? one : length + 1 + one) === at);
}

/**
 * Returns the times in one period of a rule whose frequency is hourly or shorter. BY parts finer
 * than the period name times in it (BYMINUTE in hours). Coarser ones, or those of the period
 * itself, decide whether the period counts at all (RFC 5545 section 3.3.10).
 */
function wallsOfSmallPeriod(rule: Rule, start: number, index: number, unit: number): number[] {
  const at = start + index * rule.interval * unit;
  const time = timeOfDay(at);
  const day = at - time;
  const [hour, minute, second] = [
    Math.floor(time / 3_600_000),
    Math.floor(time / 60_000) % 60,
    Math.floor(time / 1000) % 60,
  ] as const;
  const { frequency, hours, minutes, seconds } = rule;
  const isIn = (values: readonly number[], value: number) => values.length === 0 || values.includes(value);
  const isWanted =
    isIn(hours, hour) &&
    (frequency === 'HOURLY' || isIn(minutes, minute)) &&
    (frequency !== 'SECONDLY' || isIn(seconds, second)) &&
    isAllowed(day, rule) &&
    isYearDay(day, rule);
  if (!isWanted) return [];
  return timesIn(
    [hour],
    frequency === 'HOURLY' ? orStart(minutes, minute) : [minute],
    frequency === 'SECONDLY' ? [second] : orStart(seconds, second),
  ).map(one => day + one);
}

function wallsOfPeriod(rule: Rule, start: number, index: number, times: readonly number[]): number[] {
  const isSmall =
    rule.frequency === 'HOURLY' || rule.frequency === 'MINUTELY' || rule.frequency === 'SECONDLY';
  const walls = isSmall
    ? wallsOfSmallPeriod(rule, start, index, PERIOD_MS[rule.frequency] ?? DAY_MS)
    : daysOfPeriod(rule, start, index)
        .slice(0, 366)
        .flatMap(day => times.map(time => day + time));
  const sorted = [...new Set(walls)].sort((left, right) => left - right);
  if (rule.positions.length === 0) return sorted;
  const picked = rule.positions.flatMap(position => {
    const one = sorted[position > 0 ? position - 1 : sorted.length + position];
    return one === undefined ? [] : [one];
  });
  return [...new Set(picked)].sort((left, right) => left - right);
}

export type WallOptions = {
  readonly isPastUntil: (wall: number) => boolean;
  /** Earliest time of interest: a rule without COUNT may skip earlier times. */
  readonly from?: number;
  /**
   * Whether the start counts even if the rule does not match it, as for RRULE but not for EXRULE.
   */
  readonly isStartGiven?: boolean;
};

/** Returns the first period to examine: periods of fixed length can be skipped without a search. */
function firstPeriod({ frequency, interval, count }: Rule, start: number, from: number): number {
  const unit = PERIOD_MS[frequency];
  if (unit === undefined || count !== null || from <= start) return 0;
  return Math.max(0, Math.floor((from - start) / (unit * interval)) - 1);
}

/**
 * Yields the wall times of a rule from its start on, in ascending order. Ends with the rule, or
 * silently after ICS_MAX_PERIODS periods. `isPastUntil` decides about UNTIL, which may be an
 * instant.
 */
export function* wallsOf(
  rule: Rule,
  start: number,
  { isPastUntil, from = start, isStartGiven = true }: WallOptions,
): Generator<number, 'ended' | 'unknown'> {
  let given = isStartGiven ? 1 : 0;
  if (isPastUntil(start)) return 'ended';
  if (isStartGiven) yield start;
  const times = timesOf(rule, start);
  let lookedAt = 0;
  const first = firstPeriod(rule, start, from);
  for (let index = first; index < first + ICS_MAX_PERIODS && lookedAt < MAX_LOOKED_AT; index++) {
    const walls = wallsOfPeriod(rule, start, index, times);
    lookedAt += walls.length;
    for (const wall of walls) {
      if (wall < start || (isStartGiven && wall === start)) continue;
      if (rule.count !== null && given >= rule.count) return 'ended';
      if (Number.isNaN(wall) || isPastUntil(wall) || wall > LAST_WALL) return 'ended';
      given++;
      yield wall;
    }
    if (rule.count !== null && given >= rule.count) return 'ended';
    // A rule whose periods produce nothing must still end at UNTIL.
    if (walls.length === 0 && isPastUntil(start + index * rule.interval * (PERIOD_MS[rule.frequency] ?? 0)))
      return 'ended';
  }
  return 'unknown';
}

/** Returns the times of a rule in one year; used for time zone transitions. */
export function wallsInYear(rule: Rule, start: number, year: number): number[] {
  const time = timeOfDay(start);
  return yearDaysIn(year, rule, start)
    .map(day => day + time)
    .sort((left, right) => left - right);
}

const LAST_WALL = wallOf(9999, 12, 31);
