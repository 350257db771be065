import type { ArrivalDay } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { columnsOf, scaleTop } from './arrival-bars.ts';

const day = (date: string, received: number, flagged: number): ArrivalDay => ({
  date,
  received,
  flagged,
  flagged_by_sender: 0,
  flagged_by_rule: 0,
  flagged_by_score: flagged,
  proved: received,
  unproved: 0,
  disproved: 0,
});

test('the scale ends at a round number that no day exceeds', () => {
  const top = (received: number) => scaleTop([day('2026-01-01', received, 0)]);
  expect([0, 1, 2, 3, 7, 10, 11, 49, 51, 999, 1_001].map(top)).toEqual([
    1, 1, 2, 5, 10, 10, 20, 50, 100, 1_000, 2_000,
  ]);
  expect(scaleTop([])).toBe(1);
});

test('a column starts at the baseline, is as high as its day, and has the flagged part at the bottom', () => {
  const [empty, busy] = columnsOf([day('a', 0, 0), day('b', 10, 4)], 200, 100);
  expect(empty).toMatchObject({ flagged: { y: 100, height: 0 }, rest: { y: 100, height: 0 } });
  expect(busy).toMatchObject({ flagged: { y: 60, height: 40 }, rest: { y: 0, height: 60 } });
  expect(busy?.x).toBeGreaterThan((empty?.x ?? 0) + (empty?.width ?? 0));
  expect((busy?.x ?? 0) + (busy?.width ?? 0)).toBeLessThan(200);
});
