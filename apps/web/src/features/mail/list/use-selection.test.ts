import { expect, test } from 'vitest';
import { createListRows } from './list-rows.ts';
import { between, withRows } from './use-selection.ts';

const order = createListRows([
  { rows: ['a', 'b'].map(asideId => ({ asideId })) },
  { rows: ['c', 'd'].map(asideId => ({ asideId })) },
]);

test('a range includes both ends, in either order', () => {
  expect(between(order, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'c', 'c')).toEqual(['c']);
});

test('a range from a missing row is only the row itself', () => {
  expect(between(order, 'gone', 'b')).toEqual(['b']);
});

test('when a whole folder is selected, the listed rows are the excluded ones', () => {
  const whole = { isWhole: true, ids: new Set<string>() };
  const without = withRows(whole, ['b', 'c'], false);
  expect([...without.ids]).toEqual(['b', 'c']);
  expect([...withRows(without, ['b'], true).ids]).toEqual(['c']);
  const some = withRows({ isWhole: false, ids: new Set<string>() }, ['a', 'b'], true);
  expect([...withRows(some, ['a'], false).ids]).toEqual(['b']);
});
