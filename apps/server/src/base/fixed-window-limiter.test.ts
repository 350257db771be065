import { expect, test } from 'vitest';
import { createFixedWindowLimiter } from './fixed-window-limiter.ts';

function make(keysMax: number) {
  const clock = { nowMs: 0 };
  return {
    clock,
    ...createFixedWindowLimiter({ points: 2, windowMs: 1000, keysMax, now: () => clock.nowMs }),
  };
}

test('a key has a fixed number of uses per window', () => {
  const { take, clock } = make(10);
  expect([take('a'), take('a'), take('a')]).toEqual([true, true, false]);
  expect(take('b')).toBe(true);
  clock.nowMs = 999;
  expect(take('a')).toBe(false);
  clock.nowMs = 1000;
  expect([take('a'), take('a'), take('a')]).toEqual([true, true, false]);
});

test('a full limiter evicts the oldest key, and expired windows are dropped', () => {
  const { take, clock } = make(3);
  for (const key of ['a', 'a', 'b', 'b', 'c', 'c']) take(key);
  expect(take('d')).toBe(true);
  // c is still counted; b is new again, because it was evicted for a.
  expect([take('c'), take('a'), take('b')]).toEqual([false, true, true]);
  clock.nowMs = 5000;
  for (let index = 0; index < 100_000; index++) expect(take(`k${index}`)).toBe(true);
  expect(take('k99999')).toBe(true);
  expect(take('k99999')).toBe(false);
});
