// Wall-clock times as plain numbers: milliseconds since 1970 as if the wall clock showed UTC.
// zones.ts converts them to instants. Deliberately free of zones, parsers and the machine's local
// zone.

export const DAY_MS = 86_400_000;

/**
 * Returns the wall time of a date and a time of day; out-of-range fields carry over into the next
 * one.
 */
export function wallOf(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  const date = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
  // Date.UTC reads years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day + Math.floor((date.getTime() - Date.UTC(2000, 0, 1)) / DAY_MS));
  return date.getTime();
}

export type WallFields = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
};

export function fieldsOf(wall: number): WallFields {
  const date = new Date(wall);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

export const daysInMonth = (year: number, month: number): number => fieldsOf(wallOf(year, month + 1, 0)).day;

/** Milliseconds since midnight. */
export const timeOfDay = (wall: number): number => ((wall % DAY_MS) + DAY_MS) % DAY_MS;

/** `2026-03-01T10:00:00`. */
export const formatWall = (wall: number): string => new Date(wall).toISOString().slice(0, -5);

/** Formats a wall time as `20260301T100000`, or `20260301` for a date. */
export function compactWall(wall: number, isDate: boolean): string {
  const text = formatWall(wall).replace(/[-:]/g, '');
  return isDate ? text.slice(0, 8) : text;
}

const WRITTEN = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z)?)?$/;

/**
 * Reads `20260301T100000Z` or `2026-03-01T10:00:00`. Returns null when it is not an existing time.
 */
export function readWall(text: string): { wall: number; isDate: boolean; isUtc: boolean } | null {
  // For a date without VALUE=DATE, ical.js returns a time of day without digits.
  const found = WRITTEN.exec(text.trim().replace(/T:*$/, ''));
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map(part => Number(part ?? 0));
  // Some programs write 24:00 or a leap second; both carry over to the next second.
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return null;
  if (hour > 24 || minute > 59 || second > 60 || year < 1) return null;
  return {
    wall: wallOf(year, month, day, hour, minute, second),
    isDate: found[4] === undefined,
    isUtc: found[7] !== undefined,
  };
}

const DURATION =
  /^([-+])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;

/** Returns the milliseconds of `P1DT2H`; null when it is not a duration or is negative. */
export function readDuration(text: string): number | null {
  const found = DURATION.exec(text.trim().toUpperCase());
  if (found === null || found[1] === '-') return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found
    .slice(2)
    .map(part => Number(part ?? 0));
  return (weeks * 7 + days) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
