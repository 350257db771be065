// Days as people type them into a search, by the clocks of a calendar: 2024-03-05, 2024/3/5, 2024-03, 2024, 5.3.2024,
// 3/5/2024 (month first unless that cannot be), today, yesterday; and spans back from now: 7d, 2w, 3m, 1y.

/** Which day it is, and when days begin, where the reader is. Months count from 1. */
export type Calendar = {
  readonly today: readonly [year: number, month: number, day: number];
  /** The first moment of a day, ms. */
  readonly dayStart: (year: number, month: number, day: number) => number;
};

/** The calendar of the device's own time zone. */
export const deviceCalendar = (now: Date): Calendar => ({
  today: [now.getFullYear(), now.getMonth() + 1, now.getDate()],
  dayStart: (year, month, day) => new Date(year, month - 1, day).getTime(),
});

/** The start of a day that exists, ms; null for others. */
function dayStart(calendar: Calendar, year: number, month: number, day: number): number | null {
  if (year < 1970 || year > 9999) return null;
  const named = new Date(Date.UTC(year, month - 1, day));
  const isReal = named.getUTCMonth() === month - 1 && named.getUTCDate() === day;
  return isReal ? calendar.dayStart(year, month, day) : null;
}

/** The start of a day that may be counted over the ends of months and years, ms. */
function countedStart(calendar: Calendar, year: number, month: number, day: number): number {
  const named = new Date(Date.UTC(year, month - 1, day));
  return calendar.dayStart(named.getUTCFullYear(), named.getUTCMonth() + 1, named.getUTCDate());
}

/** The start of the day, month or year that a text names, ms; null when it names none. */
export function readDate(text: string, calendar: Calendar): number | null {
  const [thisYear, thisMonth, thisDay] = calendar.today;
  if (text === 'today') return calendar.dayStart(thisYear, thisMonth, thisDay);
  if (text === 'yesterday') return countedStart(calendar, thisYear, thisMonth, thisDay - 1);
  const iso = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text);
  if (iso !== null) return dayStart(calendar, Number(iso[1]), Number(iso[2] ?? 1), Number(iso[3] ?? 1));
  const other = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})$/.exec(text);
  if (other === null) return null;
  const [first, second] = [Number(other[1]), Number(other[3])];
  const year = (other[4] ?? '').length === 2 ? 2000 + Number(other[4]) : Number(other[4]);
  const isMonthFirst = other[2] === '/' && first <= 12;
  return isMonthFirst ? dayStart(calendar, year, first, second) : dayStart(calendar, year, second, first);
}

/** The start of the day so long ago, ms; null when the text is no span. */
export function readSpan(text: string, calendar: Calendar): number | null {
  const match = /^(\d{1,4})\s*([dwmy])/.exec(text);
  if (match === null || !/^\d+\s*[dwmy](ays?|eeks?|onths?|ears?)?$/.test(text)) return null;
  const count = Number(match[1]);
  const [year, month, day] = calendar.today;
  const start = {
    d: () => countedStart(calendar, year, month, day - count),
    w: () => countedStart(calendar, year, month, day - 7 * count),
    m: () => countedStart(calendar, year, month - count, day),
    y: () => countedStart(calendar, year - count, month, day),
  }[match[2] as 'd' | 'w' | 'm' | 'y']();
  return start >= 0 ? start : 0;
}
