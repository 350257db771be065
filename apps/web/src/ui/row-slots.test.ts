import { expect, test } from 'vitest';
import { assignSlots } from './row-slots.ts';

const from = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `row ${first + at}`);

test('rows in sight keep their elements, and those that come take the elements of those that went', () => {
  const before = assignSlots(new Map(), from(0, 10));
  expect([...before.values()]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const after = assignSlots(before, from(4, 10));
  for (const row of from(4, 6)) expect(after.get(row)).toBe(before.get(row));
  expect(new Set(after.values())).toEqual(new Set(before.values()));
  expect([...assignSlots(after, from(500, 10)).values()].toSorted((a, b) => a - b)).toEqual([
    ...before.values(),
  ]);
});

test('every row has an element of its own, also when there are more of them, and the same again when nothing changed', () => {
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
