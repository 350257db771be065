import { expect, test } from 'vitest';
import { speedOf } from './server-speed.ts';

test('a rate is told once enough was seen, with what is left at that rate', () => {
  const first = { at: 1_000, done: 40 };
  expect(speedOf(first, { at: 3_000, done: 60 }, 200)).toBeNull();
  expect(speedOf(first, { at: 11_000, done: 40 }, 200)).toBeNull();
  expect(speedOf(first, { at: 11_000, done: 60 }, 200)).toEqual({ perMinute: 120, leftMs: 70_000 });
  // What is said of the whole may be less than there was.
  expect(speedOf(first, { at: 11_000, done: 60 }, 50)?.leftMs).toBe(0);
});
