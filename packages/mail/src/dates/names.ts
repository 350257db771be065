// Names of months and weekdays in the languages in which programs write dates: from the platform's
// tables, plus short forms that those lack. Built at the first date that is not in English.

import { withoutPiles } from '../invisible.ts';

/** Returns the form in which names are compared: lowercase, without accents and dots. */
export const foldName = (text: string): string =>
  withoutPiles(text)
    .normalize('NFKD')
    .replace(/[\p{M}.]+/gu, '')
    .toLowerCase()
    .replace(/\u0131/g, 'i');

const ENGLISH_MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ENGLISH_DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const LOCALES =
  'de fr es it pt nl da sv nb fi is pl cs sk hu ro hr sl sr sr-Latn bs mk bg ru uk be el tr az ar he fa lt lv et id ms vi th ca eu gl cy ga zh zh-TW ja ko hi bn ur ka hy sq af sw kk uz'.split(
    ' ',
  );
/** Short forms used by old programs, by month. */
const MORE: Readonly<Record<string, number>> = {
  mrz: 2,
  mrt: 2,
  maerz: 2,
  jaen: 0,
  janv: 0,
  fevr: 1,
  fev: 1,
  avr: 3,
  juil: 6,
  aou: 7,
  set: 8,
  sept: 8,
  gen: 0,
  mag: 4,
  giu: 5,
  lug: 6,
  ott: 9,
  dic: 11,
  ene: 0,
  abr: 3,
  ago: 7,
  out: 9,
  dez: 11,
  okt: 9,
  mai: 4,
  maj: 4,
  des: 11,
  agu: 7,
  янв: 0,
  фев: 1,
  мар: 2,
  апр: 3,
  мая: 4,
  май: 4,
  июн: 5,
  июл: 6,
  авг: 7,
  сен: 8,
  окт: 9,
  ноя: 10,
  дек: 11,
};
/**
 * A year for sample dates in the middle of each month; the Sundays of 2006 fall on the same days as
 * in other years.
 */
const YEAR = 2006;
const SHORTEST = 3;

type Names = {
  months: Map<string, number[]>;
  days: Map<string, number[]>;
};

let names: Names | null = null;

function add(map: Map<string, number[]>, name: string, value: number): void {
  const folded = foldName(name).trim();
  if (!folded || /\d/.test(folded)) return;
  const known = map.get(folded);
  if (!known) map.set(folded, [value]);
  else if (!known.includes(value)) known.push(value);
}

function makeNames(): Names {
  const made: Names = { months: new Map(), days: new Map() };
  ENGLISH_DAYS.forEach((name, day) => {
    add(made.days, name, day);
  });
  for (const [name, month] of Object.entries(MORE)) add(made.months, name, month);
  for (const locale of LOCALES) {
    const tag = `${locale}-u-ca-gregory-nu-latn`;
    for (const width of ['long', 'short'] as const) {
      const alone = new Intl.DateTimeFormat(tag, { month: width, timeZone: 'UTC' });
      const dated = new Intl.DateTimeFormat(tag, { month: width, day: 'numeric', timeZone: 'UTC' });
      for (let month = 0; month < 12; month++) {
        const time = Date.UTC(YEAR, month, 15);
        add(made.months, alone.format(time), month);
        add(made.months, dated.formatToParts(time).find(({ type }) => type === 'month')?.value ?? '', month);
      }
      const weekday = new Intl.DateTimeFormat(tag, { weekday: width, timeZone: 'UTC' });
      for (let day = 0; day < 7; day++) add(made.days, weekday.format(Date.UTC(YEAR, 0, 1 + day)), day);
    }
  }
  return made;
}

function findIn(map: Map<string, number[]>, word: string): number[] {
  const whole = map.get(word);
  if (whole) return whole;
  if (word.length < SHORTEST) return [];
  const found = new Set<number>();
  for (const [name, values] of map) if (name.startsWith(word)) for (const value of values) found.add(value);
  return [...found];
}

/**
 * Returns the months (0 to 11) that a folded word may name, likeliest first; several when languages
 * disagree, none for other words.
 */
export function findMonths(word: string): number[] {
  const english = ENGLISH_MONTHS.indexOf(word.slice(0, 3));
  const isEnglish =
    english >= 0 &&
    /^(?:january|february|march|april|may|june|july|august|sept?ember|october|november|december)$/.test(
      word.length === 3 ? 'may' : word,
    );
  if (isEnglish) return [english];
  names ??= makeNames();
  const found = findIn(names.months, word);
  // Hebrew writes "in" and the month as one word.
  return found.length === 0 && word.startsWith('ב') ? findIn(names.months, word.slice(1)) : found;
}

/** Returns the weekdays (0 is Sunday) that a folded word may name. */
export function findWeekdays(word: string): number[] {
  const english = ENGLISH_DAYS.indexOf(word.slice(0, 3));
  if (english >= 0 && (word.length === 3 || word.endsWith('day'))) return [english];
  names ??= makeNames();
  return findIn(names.days, word);
}
