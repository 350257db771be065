// Clocks of a chosen zone, independent of the machine's zone: around clock changes, at day
// boundaries, and in input fields.
import { afterEach, describe, expect, test } from 'vitest';
import { formatClock, formatFullDate, formatListDate } from './dates.ts';
import { chosenZone, isZone, keepZone, toFieldValue, toWall } from './time-zone.ts';
import { deviceZone, fromFieldValue, fromWall, onDay, readerZone } from './wall-time.ts';

afterEach(() => keepZone(null));

const at = (text: string) => new Date(text);

test('without a choice the zone of the device is used', () => {
  expect([chosenZone(), readerZone()]).toEqual([null, deviceZone()]);
  expect(toFieldValue(new Date(2026, 10, 19, 18, 5))).toBe('2026-11-19T18:05');
  expect(fromFieldValue('2026-11-19T18:05')).toEqual(new Date(2026, 10, 19, 18, 5));
});

describe.each(['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'])(
  '%s',
  zone => {
    test('a moment survives the conversion to local time and back', () => {
      keepZone(zone);
      for (let hour = 0; hour < 366 * 24; hour += 7) {
        const moment = new Date(Date.UTC(2026, 0, 1, hour, 13));
        const again = fromWall(toWall(moment));
        // Of an hour that occurs twice, the first occurrence is used.
        expect(toWall(again)).toEqual(toWall(moment));
        expect(moment.getTime() - again.getTime()).toBeOneOf([0, 1_800_000, 3_600_000]);
      }
    });
  },
);

test('skipped and repeated local times are read as calendars read them', () => {
  keepZone('Europe/Berlin');
  expect(fromFieldValue('2026-03-29T02:30')).toEqual(at('2026-03-29T01:30:00Z'));
  expect(fromFieldValue('2026-10-25T02:30')).toEqual(at('2026-10-25T00:30:00Z'));
  for (const text of ['', 'soon', '2026-13-01T00:00']) expect(fromFieldValue(text).getTime()).toBeNaN();
});

test('a morning stays a morning in the chosen zone across clock changes', () => {
  keepZone('America/New_York');
  expect(onDay(at('2026-03-08T04:30:00Z'), 1, 8)).toEqual(at('2026-03-08T12:00:00Z'));
  expect(onDay(at('2026-11-01T03:00:00Z'), 1, 8)).toEqual(at('2026-11-01T13:00:00Z'));
});

test('dates are formatted in the chosen zone', () => {
  keepZone('Asia/Tokyo');
  const now = at('2026-11-19T16:00:00Z');
  expect(formatListDate(at('2026-11-19T15:30:00Z'), now, 'en-GB')).toBe('00:30');
  expect(formatListDate(at('2026-11-19T14:30:00Z'), now, 'en-GB')).toBe('Thu');
  expect(formatClock(at('2026-11-19T14:30:00Z'), 'en-GB')).toBe('23:30');
  expect(formatFullDate(at('2026-12-31T20:00:00Z'), 'en-GB')).toContain('1 January 2027');
});

test('rejects a name that is not a zone', () => {
  for (const name of ['', 'Mars/Olympus', '<b>', 'constructor']) expect(isZone(name)).toBe(false);
  expect(isZone('europe/berlin')).toBe(true);
});
