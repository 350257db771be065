// Days as people type them into a search, in the local time zone: 2024-03-05, 2024/3/5, 2024-03, 2024, 5.3.2024,
// 3/5/2024 (month first unless that cannot be), today, yesterday; and spans back from now: 7d, 2w, 3m, 1y.

const dayStart = (year: number, month: number, day: number): number | null => {
  const date = new Date(year, month - 1, day);
  date.setFullYear(year);
  const isReal = date.getFullYear() === year && date.getMonth() === month - 1 && date.getDate() === day;
  return isReal && year >= 1970 && year <= 9999 ? date.getTime() : null;
};

/** The start of the day, month or year that a text names, ms; null when it names none. */
export function readDate(text: string, now: Date): number | null {
  const today = dayStart(now.getFullYear(), now.getMonth() + 1, now.getDate());
  if (text === 'today') return today;
  if (text === 'yesterday') {
    const before = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
    return before.getTime();
  }
  const iso = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(text);
  if (iso !== null) return dayStart(Number(iso[1]), Number(iso[2] ?? 1), Number(iso[3] ?? 1));
  const other = /^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})$/.exec(text);
  if (other === null) return null;
  const [first, second] = [Number(other[1]), Number(other[3])];
  const year = (other[4] ?? '').length === 2 ? 2000 + Number(other[4]) : Number(other[4]);
  const isMonthFirst = other[2] === '/' && first <= 12;
  return isMonthFirst ? dayStart(year, first, second) : dayStart(year, second, first);
}

/** The start of the day so long ago, ms; null when the text is no span. */
export function readSpan(text: string, now: Date): number | null {
  const match = /^(\d{1,4})\s*([dwmy])/.exec(text);
  if (match === null || !/^\d+\s*[dwmy](ays?|eeks?|onths?|ears?)?$/.test(text)) return null;
  const count = Number(match[1]);
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const date = {
    d: new Date(year, month, day - count),
    w: new Date(year, month, day - 7 * count),
    m: new Date(year, month - count, day),
    y: new Date(year - count, month, day),
  }[match[2] as 'd' | 'w' | 'm' | 'y'];
  return date.getTime() >= 0 ? date.getTime() : 0;
}
