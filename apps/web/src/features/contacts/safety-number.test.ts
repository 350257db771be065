import { expect, test } from 'vitest';
import { isSameNumber, readNumber, toQrText } from './SafetyNumber.tsx';

const number = Array.from({ length: 12 }, (_, index) => String(9_001 * index).padStart(5, '0')).join(' ');

test('reads a number from its code, from a pasted line and from several lines', () => {
  const digits = number.replaceAll(' ', '');
  for (const text of [toQrText(number), number, ` ${number.replaceAll(' ', '\n')} `, digits]) {
    expect(readNumber(text)).toBe(digits);
    expect(isSameNumber(text, number)).toBe(true);
  }
});

test('rejects anything else, and distinguishes a different number', () => {
  for (const text of ['', '12345', `${number} 1`, `${number.slice(1)}x`, `https://x.test/${number}`])
    expect(readNumber(text), text).toBeNull();
  expect(isSameNumber(number.replace('09001', '09002'), number)).toBe(false);
});
