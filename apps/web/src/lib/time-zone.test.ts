// Clocks of a chosen zone, whatever the zone of the machine: around changes of clocks, at the ends of days, and in fields.
import { afterEach, describe, expect, test } from 'vitest';
import { formatClock, formatFullDate, formatListDate } from './dates.ts';
import { chosenZone, isZone, keepZone, toFieldValue, toWall } from './time-zone.ts';
import { deviceZone, fromFieldValue, fromWall, onDay, readerZone } from './wall-time.ts';

afterEach(() => keepZone(null));

const at = (text: string) => new Date(text);

test('without a choice the clocks of this device count', () => {
  expect([chosenZone(), readerZone()]).toEqual([null, deviceZone()]);
  expect(toFieldValue(new Date(2026, 10, 19, 18, 5))).toBe('2026-11-19T18:05');
  expect(fromFieldValue('2026-11-19T18:05')).toEqual(new Date(2026, 10, 19, 18, 5));
});

describe.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'])(
  '%s',
  zone => {
    test('a moment comes back from what its clocks show', () => {
      keepZone(zone);
      for (let hour = 0; hour < 366 * 24; hour += 7) {
        const moment = new Date(Date.UTC(2026, 0, 1, hour, 13));
        const again = fromWall(toWall(moment));
        // In the hour that comes twice the first one is taken.
        expect(toWall(again)).toEqual(toWall(moment));
        expect(moment.getTime() - again.getTime()).toBeOneOf([0, 1_800_000, 3_600_000]);
      }
    });
  },
);

test('times that are left out or come twice are read as calendars read them', () => {
  keepZone('Europe/Berlin');
  expect(fromFieldValue('2026-03-29T02:30')).toEqual(at('2026-03-29T01:30:00Z'));
  expect(fromFieldValue('2026-10-25T02:30')).toEqual(at('2026-10-25T00:30:00Z'));
  for (const text of ['', 'soon', '2026-13-01T00:00']) expect(fromFieldValue(text).getTime()).toBeNaN();
});

test('a morning is a morning there, over changes of clocks too', () => {
  keepZone('America/New_York');
  expect(onDay(at('2026-03-08T04:30:00Z'), 1, 8)).toEqual(at('2026-03-08T12:00:00Z'));
  expect(onDay(at('2026-11-01T03:00:00Z'), 1, 8)).toEqual(at('2026-11-01T13:00:00Z'));
});

test('dates are written as the clocks there show them', () => {
  keepZone('Asia/Tokyo');
  const now = at('2026-11-19T16:00:00Z');
  expect(formatListDate(at('2026-11-19T15:30:00Z'), now, 'en-GB')).toBe('00:30');
  expect(formatListDate(at('2026-11-19T14:30:00Z'), now, 'en-GB')).toBe('Thu');
  expect(formatClock(at('2026-11-19T14:30:00Z'), 'en-GB')).toBe('23:30');
  expect(formatFullDate(at('2026-12-31T20:00:00Z'), 'en-GB')).toContain('1 January 2027');
});

test('a name that is no zone is nothing', () => {
  for (const name of ['', 'Mars/Olympus', '<b>', 'constructor']) expect(isZone(name)).toBe(false);
  expect(isZone('europe/berlin')).toBe(true);
});
