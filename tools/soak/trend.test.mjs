import { expect, test } from 'vitest';
import { dependentPlusMinus, lowestOf, requireSlope, slopeOf } from './trend.mjs';

/** @returns {import('./trend.mjs').Point[]} */
const pointsOf = (count, valueAt) => Array.from({ length: count }, (_, at) => [at / 10, valueAt(at)]);

const valueAt = at => 100 + 3 * (at / 10);
const line = pointsOf(20, valueAt);

test('the slope of a straight line is exact and certain', () => {
  const { slope, plusMinus } = requireSlope(line);
  expect(slope).toBeCloseTo(3);
  expect(plusMinus).toBeCloseTo(0);
});

test('noise raises the uncertainty, not the slope', () => {
  const jumping = pointsOf(20, at => valueAt(at) + (at % 2 === 0 ? 10 : -10));
  const { slope, plusMinus } = requireSlope(jumping);
  expect(Math.abs(slope - 3)).toBeLessThan(plusMinus);
  expect(plusMinus).toBeGreaterThan(1);
});

test('correlated points count less than independent ones', () => {
  const jumps = pointsOf(40, at => (at % 2 === 0 ? 10 : -10));
  const waves = pointsOf(40, at => (at % 20 < 10 ? 10 : -10));
  expect(dependentPlusMinus(jumps)).toBe(requireSlope(jumps).plusMinus);
  expect(dependentPlusMinus(waves)).toBeGreaterThan(2 * requireSlope(waves).plusMinus);
  expect(dependentPlusMinus(line)).toBeCloseTo(0);
  expect(dependentPlusMinus(line.slice(0, 2))).toBeNaN();
});

test('too few points, or points at one moment, give no slope', () => {
  expect(slopeOf(line.slice(0, 2))).toBeNull();
  expect(slopeOf([line[0], line[0], line[0]])).toBeNull();
  expect(() => requireSlope(line.slice(0, 2))).toThrow('cannot fit a slope');
});

test('takes the minimum of each stretch and drops an incomplete stretch', () => {
  expect(lowestOf(line, 8)).toEqual([line[0], line[8]]);
});
