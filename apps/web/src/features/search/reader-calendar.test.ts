// The days of a search are those of the zone that its user chose, whatever the device's clock says.
import { parseQuery } from '@keyfold/search/query';
import { afterEach, expect, test } from 'vitest';
import { keepZone } from '../../lib/time-zone.ts';
import { readerCalendar } from './reader-calendar.ts';

afterEach(() => keepZone(null));

function from(text: string, now: string): string {
  const [condition] = parseQuery(`after:${text}`, readerCalendar(new Date(now))).conditions;
  if (condition?.kind !== 'date' || condition.from === null) throw new Error('No date was read');
  return new Date(condition.from).toISOString();
}

test('a day begins when it begins in the chosen zone', () => {
  keepZone('Pacific/Auckland');
  // 23 November in Auckland, while London still has the 22nd.
  expect(from('today', '2026-11-22T12:30:00Z')).toBe('2026-11-22T11:00:00.000Z');
  expect(from('yesterday', '2026-11-22T12:30:00Z')).toBe('2026-11-21T11:00:00.000Z');
  expect(from('2026-07-01', '2026-11-22T12:30:00Z')).toBe('2026-06-30T12:00:00.000Z');
  keepZone('America/Los_Angeles');
  expect(from('today', '2026-11-22T07:30:00Z')).toBe('2026-11-21T08:00:00.000Z');
  expect(from('3w', '2026-11-22T07:30:00Z')).toBe('2026-10-31T07:00:00.000Z');
});

test('a span counts over the ends of months and years, and a day that is none is words', () => {
  keepZone('Asia/Kolkata');
  expect(from('2m', '2026-01-15T12:00:00Z')).toBe('2025-11-14T18:30:00.000Z');
  expect(from('1y', '2026-01-15T12:00:00Z')).toBe('2025-01-14T18:30:00.000Z');
  expect(() => from('2026-02-30', '2026-01-15T12:00:00Z')).toThrow('No date was read');
});
