import { expect, test } from 'vitest';
import { formatMoney } from './money.ts';

test('whole amounts have no decimals, others have those of their currency', () => {
  expect(formatMoney(400, 'eur', 'en')).toBe('€4');
  expect(formatMoney(450, 'eur', 'en')).toBe('€4.50');
  expect(formatMoney(0, 'usd', 'en')).toBe('$0');
  expect(formatMoney(500, 'jpy', 'en')).toBe('¥500');
  expect(formatMoney(450, 'eur', 'de')).toBe('4,50\u00a0€');
});
