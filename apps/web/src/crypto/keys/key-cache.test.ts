import { expect, test } from 'vitest';
import { createKeyCache } from './key-cache.ts';

const key = (value: number) => new Uint8Array(32).fill(value);

test('the least recently used key is evicted first and wiped', () => {
  const cache = createKeyCache(2);
  const [a, b, c] = [key(1), key(2), key(3)];
  cache.keep('a', a, 'body');
  cache.keep('b', b, 'body');
  expect(cache.find('a')).toBe(a);
  cache.keep('c', c, 'body');
  expect(cache.find('b')).toBeNull();
  expect(b.every(byte => byte === 0)).toBe(true);
  expect(cache.find('a')).toBe(a);
  expect(cache.find('c')).toBe(c);
});

test('storing the same key again does not wipe it, but storing another key for the message does', () => {
  const cache = createKeyCache(2);
  const [first, second] = [key(1), key(2)];
  cache.keep('a', first, 'body');
  cache.keep('a', first, 'body');
  expect(first[0]).toBe(1);
  cache.keep('a', second, 'body');
  expect(first[0]).toBe(0);
  expect(cache.find('a')).toBe(second);
});

test('clearing wipes every key', () => {
  const cache = createKeyCache(5);
  const keys = [key(1), key(2), key(3)];
  for (const [index, one] of keys.entries()) cache.keep(String(index), one, 'body');
  cache.clear();
  expect(keys.every(one => one[0] === 0)).toBe(true);
  expect(cache.find('0')).toBeNull();
});

test('a key is found only for the body that it opened', () => {
  const cache = createKeyCache(2);
  const a = key(1);
  cache.keep('a', a, 'body');
  expect(cache.findFor('a', 'body')).toBe(a);
  expect(cache.findFor('a', 'another')).toBeNull();
  cache.keep('a', a, 'saved again');
  expect(cache.findFor('a', 'body')).toBeNull();
  expect(cache.findFor('a', 'saved again')).toBe(a);
});

test('knows whether another received message has the same body', () => {
  const cache = createKeyCache(5);
  const key = () => new Uint8Array(32);
  cache.keep('sent', key(), 'one', false);
  cache.keep('received', key(), 'one', true);
  expect(cache.hasOther('received', 'one')).toBe(false);
  cache.keep('again', key(), 'one', true);
  expect([cache.hasOther('received', 'one'), cache.hasOther('again', 'one')]).toEqual([true, true]);
  expect(cache.hasOther('again', 'two')).toBe(false);
  expect([...cache.copiedBodies()]).toEqual(['one']);
});
