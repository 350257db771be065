import { expect, test } from 'vitest';
import { createReady } from './ready.ts';

test('the cache never exceeds its size, however few users fill it', () => {
  const ready = createReady<string>(100);
  for (let user = 0; user < 1_000; user++) {
    ready.keep(`user ${user}`, 1, 1 + (user % 60), 'filters');
    expect(ready.sizeBytes()).toBeLessThanOrEqual(100);
  }
  ready.keep('large', 1, 101, 'filters');
  expect(ready.find('large', 1)).toBeNull();
});

test('the cache evicts the least recently used entry and misses on another version', () => {
  const ready = createReady<string>(100);
  ready.keep('a', 1, 40, 'a1');
  ready.keep('b', 1, 40, 'b1');
  expect(ready.find('a', 1)).toBe('a1');
  ready.keep('c', 1, 40, 'c1');
  expect(['a', 'b', 'c'].map(key => ready.find(key, 1))).toEqual(['a1', null, 'c1']);
  expect(ready.find('a', 2)).toBeNull();
  ready.keep('a', 2, 20, 'a2');
  expect([ready.find('a', 1), ready.find('a', 2), ready.sizeBytes()]).toEqual([null, 'a2', 60]);
  ready.keep('a', 3, 200, 'a3');
  expect([ready.find('a', 2), ready.find('a', 3), ready.sizeBytes()]).toEqual([null, null, 40]);
  ready.forget('c');
  ready.forget('c');
  expect(ready.sizeBytes()).toBe(0);
});
