import { expect, test } from 'vitest';
import { frameHeightFor, scaleFor, TALLEST_FRAME_PX } from './frame-fit.ts';

test('wide content is scaled down, but never too small to read', () => {
  expect(scaleFor(600, 600)).toBe(1);
  expect(scaleFor(603, 600)).toBe(1);
  expect(scaleFor(640, 320)).toBe(0.5);
  expect(scaleFor(600, 340)).toBeCloseTo(0.566, 2);
  expect(scaleFor(9_000, 340)).toBe(0.45);
  expect(scaleFor(600, 0)).toBe(1);
});

test('a frame is as tall as its body, up to a limit', () => {
  expect(frameHeightFor(812.2)).toBe(813);
  expect(frameHeightFor(TALLEST_FRAME_PX)).toBe(TALLEST_FRAME_PX);
  expect(frameHeightFor(30_000_000)).toBe(TALLEST_FRAME_PX);
  expect(frameHeightFor(Number.POSITIVE_INFINITY)).toBe(TALLEST_FRAME_PX);
  expect(frameHeightFor(-5)).toBe(0);
});
