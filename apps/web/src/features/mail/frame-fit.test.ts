import { expect, test } from 'vitest';
import { scaleFor } from './frame-fit.ts';

test('what is wider than the frame becomes smaller, but never too small to read', () => {
  expect(scaleFor(600, 600)).toBe(1);
  expect(scaleFor(603, 600)).toBe(1);
  expect(scaleFor(640, 320)).toBe(0.5);
  expect(scaleFor(600, 340)).toBeCloseTo(0.566, 2);
  expect(scaleFor(9_000, 340)).toBe(0.45);
  expect(scaleFor(600, 0)).toBe(1);
});
