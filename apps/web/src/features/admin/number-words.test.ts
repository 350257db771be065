import { expect, test } from 'vitest';
import { formatAverage, formatLastActive, formatPercent, shareOf } from './number-words.ts';

const now = new Date('2026-11-22T12:00:00Z');

test.each([
  [null, 'Never'],
  ['2026-11-22T11:59:30Z', 'Just now'],
  ['2026-11-22T12:00:09Z', 'Just now'],
  ['2026-11-22T11:58:00Z', '2 minutes ago'],
  ['2026-11-22T11:00:00Z', '1 hour ago'],
  ['2026-11-21T11:00:00Z', 'yesterday'],
  ['2026-11-19T11:00:00Z', '3 days ago'],
  ['2026-10-12T12:00:00Z', 'Oct 12, 2026'],
])('formats %s as %s', (at, text) => {
  expect(formatLastActive(at, now)).toBe(text);
});

test('formats shares, changes and averages', () => {
  expect(formatPercent(shareOf(1131, 1284))).toBe('88.1%');
  expect(formatPercent(78)).toBe('78%');
  expect(formatPercent(shareOf(96, 1284 - 96), true)).toBe('+8.1%');
  expect(formatPercent(shareOf(1, 0))).toBe('0%');
  expect(formatAverage(486_203 / 1284)).toBe('378.66');
});
