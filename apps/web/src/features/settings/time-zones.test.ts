import { expect, test } from 'vitest';
import { allZones, findZones } from './time-zones.ts';

const zones = allZones();
const found = (typed: string) => findZones(zones, typed).map(({ zone }) => zone);

test('finds a zone by its place, its continent or its name', () => {
  expect(found('berl')[0]).toBe('Europe/Berlin');
  expect(found('new york')[0]).toBe('America/New_York');
  expect(found('america/new_york')[0]).toBe('America/New_York');
  expect(found('mountain time')).toContain('America/Denver');
  expect(found('são paulo')).toContain('America/Sao_Paulo');
  expect(found('utc')[0]).toBe('UTC');
  // Independent of the names that the JavaScript engine uses.
  expect([found('kolkata')[0], found('kyiv')[0]]).toEqual(['Asia/Kolkata', 'Europe/Kyiv']);
});

test('empty and unknown input finds nothing, and the number of results is limited', () => {
  expect(found(' ')).toEqual([]);
  expect(found('atlantis')).toEqual([]);
  expect(found('a')).toHaveLength(8);
});
