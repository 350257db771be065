import { afterEach, expect, test } from 'vitest';
import {
  daysLeft,
  formatAgo,
  formatClock,
  formatFullDate,
  formatListDate,
  formatMessageDate,
} from './dates.ts';
import { setLanguage } from './language.ts';

afterEach(() => setLanguage('en', {}));

const now = new Date(2026, 10, 19, 14, 5);

test('a row from today shows its time', () => {
  expect(formatListDate(new Date(2026, 10, 19, 9, 41), now, 'en-GB')).toBe('09:41');
  expect(formatListDate(new Date(2026, 10, 19, 0, 0), now, 'en-GB')).toBe('00:00');
});

test('a row from the last six days shows its weekday, and an older one shows its date', () => {
  expect(formatListDate(new Date(2026, 10, 18, 23, 59), now, 'en-GB')).toBe('Wed');
  expect(formatListDate(new Date(2026, 10, 13, 1, 0), now, 'en-GB')).toBe('Fri');
  expect(formatListDate(new Date(2026, 10, 12, 23, 0), now, 'en-GB')).toBe('12 Nov');
});

test('rows from another year and from the future show enough of the date', () => {
  expect(formatListDate(new Date(2025, 11, 24), now, 'en-GB')).toBe('24 Dec 2025');
  expect(formatListDate(new Date(2026, 10, 21, 8, 0), now, 'en-GB')).toBe('21 Nov');
});

test('a clock change does not move a row to another day', () => {
  const spring = new Date(2026, 2, 30, 12, 0);
  expect(formatListDate(new Date(2026, 2, 29, 0, 30), spring, 'en-GB')).toBe('Sun');
});

test('a message header keeps the time beside the day', () => {
  expect(formatMessageDate(new Date(2026, 10, 17, 18, 2), now, 'en-GB')).toBe('Tue 18:02');
  expect(formatMessageDate(new Date(2026, 9, 1, 7, 40), now, 'en-GB')).toBe('1 Oct, 07:40');
});

test('an invalid date is empty instead of "Invalid Date"', () => {
  const broken = new Date('not a date');
  expect(formatListDate(broken, now)).toBe('');
  expect(formatMessageDate(broken, now)).toBe('');
  expect(formatFullDate(broken)).toBe('');
});

test('days left are rounded up and never negative', () => {
  expect(daysLeft(new Date(now.getTime() + 26.2 * 86_400_000), now)).toBe(27);
  expect(daysLeft(new Date(now.getTime() - 1), now)).toBe(0);
});

test('hours are formatted as in the language', () => {
  const at = new Date(2026, 10, 19, 9, 41);
  const written = ['en-US', 'en-GB', 'de'].map(locale => formatListDate(at, now, locale).replace(/\s/, ' '));
  expect(written).toEqual(['9:41 AM', '09:41', '09:41']);
  expect(formatClock(at, 'en-US')).toMatch(/^9:41\sAM$/);
  expect(formatMessageDate(at, new Date(2026, 10, 20), 'en-US')).toMatch(/^Thu 9:41\sAM$/);
});

test('the clock shows hours and minutes', () => {
  expect(formatClock(new Date(2026, 10, 19, 9, 44), 'en-GB')).toBe('09:44');
});

test('a past time is spelled out in every unit', () => {
  expect(formatAgo(0, 'second')).toBe('0 seconds ago');
  expect(formatAgo(1, 'day')).toBe('yesterday');
  setLanguage('de', {});
  expect([formatAgo(1, 'second'), formatAgo(1, 'minute')]).toEqual(['vor 1 Sekunde', 'vor 1 Minute']);
});
