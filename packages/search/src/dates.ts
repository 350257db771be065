// Parses days as typed into a search, in a calendar's time zone: 2024-03-05, 2024/3/5, 2024-03,
// 2024, 5.3.2024, 3/5/2024 (month first unless that is impossible), today, yesterday; and spans
// back from now: 7d, 2w, 3m, 1y.

/** The current day and the start of days in the reader's time zone. Months count from 1. */
export type Calendar = {
  readonly today: readonly [year: number, month: number, day: number];
  /** Returns the first moment of a day, in ms. */
  readonly dayStart: (year: number, month: number, day: number) => number;
};

/** Returns the calendar of the device's time zone. */
export const deviceCalendar = (now: Date): Calendar => ({
  today: [now.getFullYear(), now.getMonth() + 1, now.getDate()],
  dayStart: (year, month, day) => new Date(year, month - 1, day).getTime(),
});

/** Returns the start of a day, in ms; null when the day does not exist. */
function dayStart(calendar: Calendar, year: number, month: number, day: number): number | null {
  if (year < 1970 || year > 9999) return null;
  const named = new Date(Date.UTC(year, month - 1, day));
  const isReal = named.getUTCMonth() === month - 1 && named.getUTCDate() === day;
  return isReal ? calendar.dayStart(year, month, day) : null;
}

/** Returns the start of a day, in ms; day and month may overflow into other months and years. */
function countedStart(calendar: Calendar, year: number, month: number, day: number): number {
  const named = new Date(Date.UTC(year, month - 1, day));
  return calendar.dayStart(named.getUTCFullYear(), named.getUTCMonth() + 1, named.getUTCDate());
}

/**
 * Returns the start of the day, month or year that a text names, in ms; null when it names none.
 */
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

/**
 * Returns the start of the day that a span before now begins on, in ms; null when the text is not a
 * span.
 */
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
