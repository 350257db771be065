import { expect, test } from 'vitest';
import { meterTone } from './meter-tone.ts';

test('a bar warns from 75 % and is red from 90 %', () => {
  expect(meterTone(74.9)).toBe('primary');
  expect(meterTone(75)).toBe('warning');
  expect(meterTone(89.99)).toBe('warning');
  expect(meterTone(90)).toBe('danger');
  expect(meterTone(140)).toBe('danger');
});
