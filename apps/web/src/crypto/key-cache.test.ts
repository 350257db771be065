import { expect, test } from 'vitest';
import { createKeyCache } from './key-cache.ts';

const key = (value: number) => new Uint8Array(32).fill(value);

test('the least recently used key goes first and is wiped', () => {
  const cache = createKeyCache(2);
  const [a, b, c] = [key(1), key(2), key(3)];
  cache.keep('a', a);
  cache.keep('b', b);
  expect(cache.find('a')).toBe(a);
  cache.keep('c', c);
  expect(cache.find('b')).toBeNull();
  expect(b.every(byte => byte === 0)).toBe(true);
  expect(cache.find('a')).toBe(a);
  expect(cache.find('c')).toBe(c);
});

test('keeping the same key again does not wipe it, another one for the same mail does', () => {
  const cache = createKeyCache(2);
  const [first, second] = [key(1), key(2)];
  cache.keep('a', first);
  cache.keep('a', first);
  expect(first[0]).toBe(1);
  cache.keep('a', second);
  expect(first[0]).toBe(0);
  expect(cache.find('a')).toBe(second);
});

test('clearing wipes every key', () => {
  const cache = createKeyCache(5);
  const keys = [key(1), key(2), key(3)];
  for (const [index, one] of keys.entries()) cache.keep(String(index), one);
  cache.clear();
  expect(keys.every(one => one[0] === 0)).toBe(true);
  expect(cache.find('0')).toBeNull();
});
