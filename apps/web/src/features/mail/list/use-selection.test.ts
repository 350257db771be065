import { expect, test } from 'vitest';
import { createListRows } from './list-rows.ts';
import { between, withRows } from './use-selection.ts';

const order = createListRows([
  { rows: ['a', 'b'].map(asideId => ({ asideId })) },
  { rows: ['c', 'd'].map(asideId => ({ asideId })) },
]);

test('a range holds both ends, whichever was checked first', () => {
  expect(between(order, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'c', 'c')).toEqual(['c']);
});

test('a range from a row that is gone is the row itself', () => {
  expect(between(order, 'gone', 'b')).toEqual(['b']);
});

test('in a whole folder the rows that are named are those left out', () => {
  const whole = { isWhole: true, ids: new Set<string>() };
  const without = withRows(whole, ['b', 'c'], false);
  expect([...without.ids]).toEqual(['b', 'c']);
  expect([...withRows(without, ['b'], true).ids]).toEqual(['c']);
  const some = withRows({ isWhole: false, ids: new Set<string>() }, ['a', 'b'], true);
  expect([...withRows(some, ['a'], false).ids]).toEqual(['b']);
});
