import type { OfferedPlan } from '@keyfold/contract';
import { expect, test } from 'vitest';
import { featureLines, formatMoney, freeMonths, priceWords } from './plan-words.ts';

const offered = (plan: OfferedPlan['plan'], monthly: number | null, yearly: number | null): OfferedPlan => ({
  plan,
  storage_limit: 0,
  address_limit: 0,
  domain_limit: 0,
  member_limit: 0,
  security_analytics: false,
  monthly: monthly === null ? null : { amount: monthly, currency: 'eur' },
  yearly: yearly === null ? null : { amount: yearly, currency: 'eur' },
});
const free = offered('free', null, null);

test('counts free months only when they are whole and the same for every plan', () => {
  expect(freeMonths([free, offered('plus', 400, 4_000), offered('pro', 900, 9_000)])).toBe(2);
  expect(freeMonths([free, offered('plus', 400, 4_000), offered('pro', 900, 9_900)])).toBe(0);
  expect(freeMonths([free, offered('plus', 400, 4_700)])).toBe(0);
  expect(freeMonths([free, offered('plus', 400, 5_000)])).toBe(0);
  expect(freeMonths([free, offered('plus', 400, null)])).toBe(0);
});

test('lists end-to-end encryption for every plan, and analytics where included', () => {
  expect(featureLines(free).at(-1)).toBe('End-to-end encryption');
  const plus = { ...offered('plus', 400, null), security_analytics: true };
  expect(featureLines(plus).slice(-2)).toEqual(['End-to-end encryption', 'Security analytics']);
});

test('the free plan costs zero in the currency of the others, and has no price if nothing is sold', () => {
  const plus = offered('plus', 400, null);
  expect(priceWords(free, 'monthly', [free, plus])).toBe('€0');
  expect(priceWords(plus, 'monthly', [free, plus])).toBe('€4');
  expect(priceWords(plus, 'yearly', [free, plus])).toBeNull();
  expect(priceWords(free, 'monthly', [free])).toBeNull();
});

test('formats whole amounts without decimals and others with those of their currency', () => {
  expect(formatMoney(400, 'eur', 'en')).toBe('€4');
  expect(formatMoney(450, 'eur', 'en')).toBe('€4.50');
  expect(formatMoney(0, 'usd', 'en')).toBe('$0');
  expect(formatMoney(500, 'jpy', 'en')).toBe('¥500');
  expect(formatMoney(450, 'eur', 'de')).toBe('4,50\u00a0€');
});
