import { expect, test } from 'vitest';
import { hashOf, searchOf } from './search-address.ts';

test('a search survives the round trip through the fragment, whatever it contains', () => {
  for (const text of ['from:ines has:attachment', 'a&b=c#d', '日本 "ü" %', '"'])
    expect(searchOf(hashOf(text))).toBe(text);
  expect(hashOf('  ')).toBe('');
  expect(searchOf('#/email/1')).toBe('');
  expect(searchOf('#q=%')).toBe('');
  expect(searchOf('')).toBe('');
});
