// Search days follow the time zone that the user chose, regardless of the device's clock.
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

test('a search day begins at midnight in the chosen zone', () => {
  keepZone('Pacific/Auckland');
  // It is 23 November in Auckland and still 22 November in London.
  expect(from('today', '2026-11-22T12:30:00Z')).toBe('2026-11-22T11:00:00.000Z');
  expect(from('yesterday', '2026-11-22T12:30:00Z')).toBe('2026-11-21T11:00:00.000Z');
  expect(from('2026-07-01', '2026-11-22T12:30:00Z')).toBe('2026-06-30T12:00:00.000Z');
  keepZone('America/Los_Angeles');
  expect(from('today', '2026-11-22T07:30:00Z')).toBe('2026-11-21T08:00:00.000Z');
  expect(from('3w', '2026-11-22T07:30:00Z')).toBe('2026-10-31T07:00:00.000Z');
});

test('a time span crosses months and years, and an invalid date is read as words', () => {
  keepZone('Asia/Kolkata');
  expect(from('2m', '2026-01-15T12:00:00Z')).toBe('2025-11-14T18:30:00.000Z');
  expect(from('1y', '2026-01-15T12:00:00Z')).toBe('2025-01-14T18:30:00.000Z');
  expect(() => from('2026-02-30', '2026-01-15T12:00:00Z')).toThrow('No date was read');
});
