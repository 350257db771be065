import { expect, test } from 'vitest';
import { toFieldValue } from '../../../lib/time-zone.ts';
import { findScheduleProblem, laterChoices } from './schedule.ts';

const idsAt = (now: Date) => laterChoices(now).map(({ id, at }) => `${id} ${toFieldValue(at)}`);

test('what is offered fits the day', () => {
  expect(idsAt(new Date(2026, 10, 18, 10, 20))).toEqual([
    'today 2026-11-18T13:00',
    'tomorrow 2026-11-19T08:00',
    'monday 2026-11-23T08:00',
  ]);
  expect(idsAt(new Date(2026, 10, 22, 22, 0))).toEqual(['tomorrow 2026-11-23T08:00']);
  expect(idsAt(new Date(2026, 10, 23, 9, 0))[2]).toBe('monday 2026-11-30T08:00');
});

test('the past and the far future are refused', () => {
  const now = new Date(2026, 10, 18);
  expect(findScheduleProblem(new Date(2026, 10, 17), now)).toBe('This moment has passed');
  expect(findScheduleProblem(new Date(2028, 0, 1), now)).toBe('At most 366 days ahead');
  expect(findScheduleProblem(new Date('x'), now)).toBe('Choose a day and a time');
  expect(findScheduleProblem(new Date(2026, 10, 19), now)).toBeNull();
});
