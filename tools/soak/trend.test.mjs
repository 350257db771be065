import { expect, test } from 'vitest';
import { dependentPlusMinus, lowestOf, requireSlope, slopeOf } from './trend.mjs';

/** @returns {import('./trend.mjs').Point[]} */
const pointsOf = (count, valueAt) => Array.from({ length: count }, (_, at) => [at / 10, valueAt(at)]);

const valueAt = at => 100 + 3 * (at / 10);
const line = pointsOf(20, valueAt);

test('the slope of a straight line is its slope, and sure', () => {
  const { slope, plusMinus } = requireSlope(line);
  expect(slope).toBeCloseTo(3);
  expect(plusMinus).toBeCloseTo(0);
});

test('jumps make it less sure and not steeper', () => {
  const jumping = pointsOf(20, at => valueAt(at) + (at % 2 === 0 ? 10 : -10));
  const { slope, plusMinus } = requireSlope(jumping);
  expect(Math.abs(slope - 3)).toBeLessThan(plusMinus);
  expect(plusMinus).toBeGreaterThan(1);
});

test('points that are alike say less than independent ones', () => {
  const jumps = pointsOf(40, at => (at % 2 === 0 ? 10 : -10));
  const waves = pointsOf(40, at => (at % 20 < 10 ? 10 : -10));
  expect(dependentPlusMinus(jumps)).toBe(requireSlope(jumps).plusMinus);
  expect(dependentPlusMinus(waves)).toBeGreaterThan(2 * requireSlope(waves).plusMinus);
  expect(dependentPlusMinus(line)).toBeCloseTo(0);
  expect(dependentPlusMinus(line.slice(0, 2))).toBeNaN();
});

test('too few points, or points of one moment, say nothing', () => {
  expect(slopeOf(line.slice(0, 2))).toBeNull();
  expect(slopeOf([line[0], line[0], line[0]])).toBeNull();
  expect(() => requireSlope(line.slice(0, 2))).toThrow('no slope');
});

test('the lowest of each stretch is taken, and a stretch that is not whole is left out', () => {
  expect(lowestOf(line, 8)).toEqual([line[0], line[8]]);
});
