import { expect, test } from 'vitest';
import { between } from './use-selection.ts';

const order = ['a', 'b', 'c', 'd'];

test('a range holds both ends, whichever was checked first', () => {
  expect(between(order, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(between(order, 'c', 'c')).toEqual(['c']);
});

test('a range from a row that is gone is the row itself', () => {
  expect(between(order, 'gone', 'b')).toEqual(['b']);
});
