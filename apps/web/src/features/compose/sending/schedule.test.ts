import { expect, test } from 'vitest';
import { toFieldValue } from '../../../lib/time-zone.ts';
import { findScheduleProblem, laterChoices } from './schedule.ts';

const idsAt = (now: Date) => laterChoices(now).map(({ id, at }) => `${id} ${toFieldValue(at)}`);

test('the suggested times fit the day', () => {
  expect(idsAt(new Date(2026, 10, 18, 10, 20))).toEqual([
    'today 2026-11-18T13:00',
    'tomorrow 2026-11-19T08:00',
    'monday 2026-11-23T08:00',
  ]);
  expect(idsAt(new Date(2026, 10, 22, 22, 0))).toEqual(['tomorrow 2026-11-23T08:00']);
  expect(idsAt(new Date(2026, 10, 23, 9, 0))[2]).toBe('monday 2026-11-30T08:00');
});

test('rejects times in the past or too far in the future', () => {
  const now = new Date(2026, 10, 18);
  expect(findScheduleProblem(new Date(2026, 10, 17), now)).toBe('Choose a time in the future');
  expect(findScheduleProblem(new Date(2028, 0, 1), now)).toBe('Choose a time within the next 366 days');
  expect(findScheduleProblem(new Date('x'), now)).toBe('Choose a date and time');
  expect(findScheduleProblem(new Date(2026, 10, 19), now)).toBeNull();
});
