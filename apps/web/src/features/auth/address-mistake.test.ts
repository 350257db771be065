import { expect, test } from 'vitest';
import { findAddressMistake } from './address-mistake.ts';

test('accepts a name with a domain', () => {
  expect(findAddressMistake(' Alice@keyfold.test ')).toBeUndefined();
  expect(findAddressMistake('jürgen@bücher.example')).toBeUndefined();
});

test('distinguishes an empty address from a name alone', () => {
  expect(findAddressMistake('  ')).toBe('Enter your address');
  for (const typed of ['alice', 'alice@', '@keyfold.test', 'a b@x.test', 'a@b@c'])
    expect(findAddressMistake(typed)).toBe('Enter your full address, including the part after @');
});
