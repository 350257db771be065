import { expect, test } from 'vitest';
import { dependentPlusMinus, lowestOf, slopeOf } from './trend.mjs';

const line = Array.from({ length: 20 }, (_, at) => [at / 10, 100 + 3 * (at / 10)]);

test('the slope of a straight line is its slope, and sure', () => {
  const { slope, plusMinus } = slopeOf(line);
  expect(slope).toBeCloseTo(3);
  expect(plusMinus).toBeCloseTo(0);
});

test('jumps make it less sure and not steeper', () => {
  const jumping = line.map(([x, y], at) => [x, y + (at % 2 === 0 ? 10 : -10)]);
  const { slope, plusMinus } = slopeOf(jumping);
  expect(Math.abs(slope - 3)).toBeLessThan(plusMinus);
  expect(plusMinus).toBeGreaterThan(1);
});

test('points that are alike say less than independent ones', () => {
  const jumps = Array.from({ length: 40 }, (_, at) => [at / 10, at % 2 === 0 ? 10 : -10]);
  const waves = Array.from({ length: 40 }, (_, at) => [at / 10, at % 20 < 10 ? 10 : -10]);
  expect(dependentPlusMinus(jumps)).toBe(slopeOf(jumps).plusMinus);
  expect(dependentPlusMinus(waves)).toBeGreaterThan(2 * slopeOf(waves).plusMinus);
  expect(dependentPlusMinus(line)).toBeCloseTo(0);
  expect(dependentPlusMinus(line.slice(0, 2))).toBeNaN();
});

test('too few points, or points of one moment, say nothing', () => {
  expect(slopeOf(line.slice(0, 2))).toBeNull();
  expect(slopeOf([line[0], line[0], line[0]])).toBeNull();
});

test('the lowest of each stretch is taken, and a stretch that is not whole is left out', () => {
  expect(lowestOf(line, 8)).toEqual([line[0], line[8]]);
});
