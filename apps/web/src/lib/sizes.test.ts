import { afterEach, expect, test } from 'vitest';
import { setLanguage } from './language.ts';
import { formatSize, percentOf } from './sizes.ts';

afterEach(() => setLanguage('en', {}));

test('sizes step by 1024 and carry two decimals', () => {
  expect(formatSize(0)).toBe('0.00 B');
  expect(formatSize(512)).toBe('512.00 B');
  expect(formatSize(1024)).toBe('1.00 KB');
  expect(formatSize(1536)).toBe('1.50 KB');
  expect(formatSize(5_368_709_120)).toBe('5.00 GB');
  expect(formatSize(2 * 1024 ** 4)).toBe('2.00 TB');
  expect(formatSize(5000 * 1024 ** 4)).toBe('5000.00 TB');
});

test('a size just under a step does not read 1024', () => {
  expect(formatSize(1_048_575)).toBe('1.00 MB');
});

test('the decimals follow the language', () => {
  setLanguage('de', {});
  expect(formatSize(1536)).toBe('1,50 KB');
  expect(formatSize(512)).toBe('512,00 B');
});

test('in right-to-left text a size is isolated, with the number first', () => {
  setLanguage('ar', {});
  expect(formatSize(1536)).toBe('\u20661.50 KB\u2069');
  expect(formatSize(0)).toBe('\u20660.00 B\u2069');
});

test('invalid sizes are formatted as zero', () => {
  expect(formatSize(Number.NaN)).toBe('0.00 B');
  expect(formatSize(-5)).toBe('0.00 B');
});

test('percentages stay between 0 and 100', () => {
  expect(percentOf(1, 4)).toBe(25);
  expect(percentOf(9, 4)).toBe(100);
  expect(percentOf(1, 0)).toBe(0);
  expect(percentOf(-1, 4)).toBe(0);
});
