import { expect, test } from 'vitest';
import { toFieldValue } from '../../../lib/time-zone.ts';
import { snoozeTimeOf, snoozeTimes } from './snooze-times.ts';

const texts = (now: Date) => snoozeTimes(now).map(({ choice, at }) => `${choice} ${toFieldValue(at)}`);

test('a Thursday noon offers all four times', () => {
  expect(texts(new Date(2026, 10, 19, 12, 5))).toEqual([
    'later 2026-11-19T18:00',
    'tomorrow 2026-11-20T08:00',
    'weekend 2026-11-21T08:00',
    'week 2026-11-23T08:00',
  ]);
});

test('late in the evening there is no later today, and no time is offered twice', () => {
  expect(texts(new Date(2026, 10, 19, 22, 30))).toEqual([
    'tomorrow 2026-11-20T08:00',
    'weekend 2026-11-21T08:00',
    'week 2026-11-23T08:00',
  ]);
  expect(texts(new Date(2026, 10, 20, 12, 0)).map(one => one.split(' ')[0])).toEqual([
    'later',
    'tomorrow',
    'week',
  ]);
  expect(texts(new Date(2026, 10, 19, 17, 30))[0]).toBe('later 2026-11-19T20:00');
});

test('the field accepts only future times within a year', () => {
  const now = new Date(2026, 10, 19, 12, 0);
  expect(snoozeTimeOf('2026-11-19T12:01', now)).toEqual(new Date(2026, 10, 19, 12, 1));
  for (const value of ['', 'soon', '2026-11-19T11:59', '2030-01-01T00:00'])
    expect(snoozeTimeOf(value, now)).toBeNull();
});
