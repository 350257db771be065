import { expect, test } from 'vitest';
import { rowRangeAt, scrollToShow } from './row-range.ts';

test('only the rows that are seen, and a few around them, exist', () => {
  expect(rowRangeAt(0, 800, 80, 50_000)).toEqual({ first: 0, end: 19 });
  const { first, end } = rowRangeAt(2_000_000, 800, 80, 50_000);
  expect(first).toBe(24_996);
  expect(end).toBe(25_015);
  expect(rowRangeAt(3_999_999, 800, 80, 50_000)).toEqual({ first: 49_981, end: 50_000 });
  expect(rowRangeAt(0, 800, 40, 50_000).end).toBeLessThan(40);
});

test('the ends of the list are its ends, a shorter list is drawn from its own, and an overshoot counts as the top', () => {
  expect(rowRangeAt(3_999_200, 800, 80, 50_000).end).toBe(50_000);
  expect(rowRangeAt(4_000, 800, 80, 3)).toEqual({ first: 0, end: 3 });
  expect(rowRangeAt(-60, 800, 80, 100).first).toBe(0);
  expect(rowRangeAt(0, 800, 80, 0)).toEqual({ first: 0, end: 0 });
});

test('a row is shown with the smallest move', () => {
  expect(scrollToShow(3, 0, 800, 80)).toBe(0);
  expect(scrollToShow(10, 0, 800, 80)).toBe(80);
  expect(scrollToShow(2, 400, 800, 80)).toBe(160);
  expect(scrollToShow(7, 400, 800, 80)).toBe(400);
});
