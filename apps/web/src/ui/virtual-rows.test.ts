import { expect, test } from 'vitest';
import { assignSlots, rowRangeAt, scrollToShow } from './virtual-rows.ts';

const from = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `row ${first + at}`);

test('visible rows keep their elements, and new rows reuse the elements of removed ones', () => {
  const before = assignSlots(new Map(), from(0, 10));
  expect([...before.values()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const after = assignSlots(before, from(4, 10));
  for (const row of from(4, 6)) expect(after.get(row)).toBe(before.get(row));
  expect(new Set(after.values())).toEqual(new Set(before.values()));
  expect([...assignSlots(after, from(500, 10)).values()].toSorted((a, b) => a - b)).toEqual([
    ...before.values(),
  ]);
});

test('every row has its own element, also when rows are added, and keeps it when nothing changes', () => {
  const before = assignSlots(new Map(), from(0, 3));
  const after = assignSlots(before, ['new', ...from(1, 6)]);
  expect(new Set(after.values()).size).toBe(7);
  expect([...assignSlots(after, [...after.keys()])]).toEqual([...after]);
  expect(assignSlots(after, []).size).toBe(0);
});

test('a jump to other rows moves no element', () => {
  const scrolled = assignSlots(assignSlots(new Map(), from(0, 10)), from(4, 10));
  expect([...assignSlots(scrolled, from(500, 10)).values()]).toEqual([...scrolled.values()]);
});

test('only the visible rows and a few around them exist', () => {
  expect(rowRangeAt(0, 800, 80, 50_000)).toEqual({ first: 0, end: 19 });
  const { first, end } = rowRangeAt(2_000_000, 800, 80, 50_000);
  expect(first).toBe(24_996);
  expect(end).toBe(25_015);
  expect(rowRangeAt(3_999_999, 800, 80, 50_000)).toEqual({ first: 49_981, end: 50_000 });
  expect(rowRangeAt(0, 800, 40, 50_000).end).toBeLessThan(40);
});

test('the range stays within the list, and overscroll counts as the top', () => {
  expect(rowRangeAt(3_999_200, 800, 80, 50_000).end).toBe(50_000);
  expect(rowRangeAt(4_000, 800, 80, 3)).toEqual({ first: 0, end: 3 });
  expect(rowRangeAt(-60, 800, 80, 100).first).toBe(0);
  expect(rowRangeAt(0, 800, 80, 0)).toEqual({ first: 0, end: 0 });
});

test('scrolls as little as possible to show a row', () => {
  expect(scrollToShow(3, 0, 800, 80)).toBe(0);
  expect(scrollToShow(10, 0, 800, 80)).toBe(80);
  expect(scrollToShow(2, 400, 800, 80)).toBe(160);
  expect(scrollToShow(7, 400, 800, 80)).toBe(400);
});
