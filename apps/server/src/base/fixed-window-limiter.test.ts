import { expect, test } from 'vitest';
import { createFixedWindowLimiter } from './fixed-window-limiter.ts';

function make(keysMax: number) {
  const clock = { nowMs: 0 };
  return {
    clock,
    ...createFixedWindowLimiter({ points: 2, windowMs: 1000, keysMax, now: () => clock.nowMs }),
  };
}

test('a key has so many in a window, and as many in the next', () => {
  const { take, clock } = make(10);
  expect([take('a'), take('a'), take('a')]).toEqual([true, true, false]);
  expect(take('b')).toBe(true);
  clock.nowMs = 999;
  expect(take('a')).toBe(false);
  clock.nowMs = 1000;
  expect([take('a'), take('a'), take('a')]).toEqual([true, true, false]);
});

test('of more keys than are kept the oldest is forgotten, and of those that are over all', () => {
  const { take, clock } = make(3);
  for (const key of ['a', 'a', 'b', 'b', 'c', 'c']) take(key);
  expect(take('d')).toBe(true);
  // c is still known, a is new again, which b had to make room for.
  expect([take('c'), take('a'), take('b')]).toEqual([false, true, true]);
  clock.nowMs = 5000;
  for (let index = 0; index < 100_000; index++) expect(take(`k${index}`)).toBe(true);
  expect(take('k99999')).toBe(true);
  expect(take('k99999')).toBe(false);
});
