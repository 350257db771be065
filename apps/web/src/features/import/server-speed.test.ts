import { expect, test } from 'vitest';
import { speedOf } from './server-speed.ts';

test('reports a rate and the remaining time once there is enough data', () => {
  const first = { at: 1_000, done: 40 };
  expect(speedOf(first, { at: 3_000, done: 60 }, 200)).toBeNull();
  expect(speedOf(first, { at: 11_000, done: 40 }, 200)).toBeNull();
  expect(speedOf(first, { at: 11_000, done: 60 }, 200)).toEqual({ perMinute: 120, leftMs: 70_000 });
  // The reported total may be lower than the actual number.
  expect(speedOf(first, { at: 11_000, done: 60 }, 50)?.leftMs).toBe(0);
});
