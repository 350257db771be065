import { expect, test } from 'vitest';
import { findAddressMistake } from './address-mistake.ts';

test('a name and a domain are enough', () => {
  expect(findAddressMistake(' Alice@keyfold.test ')).toBeUndefined();
  expect(findAddressMistake('jürgen@bücher.example')).toBeUndefined();
});

test('nothing, and a name alone, are told apart', () => {
  expect(findAddressMistake('  ')).toBe('Type your address');
  for (const typed of ['alice', 'alice@', '@keyfold.test', 'a b@x.test', 'a@b@c'])
    expect(findAddressMistake(typed)).toBe('Type your whole address, with what follows the @');
});
