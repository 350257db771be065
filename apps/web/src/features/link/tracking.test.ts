import { expect, test } from 'vitest';
import { withoutTracking } from './tracking.ts';

test('removes tracking parameters and keeps the others', () => {
  expect(withoutTracking('https://shop.example/a?id=7&utm_source=mail&utm_medium=x&fbclid=abc')).toBe(
    'https://shop.example/a?id=7',
  );
  expect(withoutTracking('https://shop.example/a?utm_source=mail#part')).toBe('https://shop.example/a#part');
});

test('returns null for an address without tracking parameters', () => {
  for (const address of [
    'https://shop.example/a?id=7',
    'https://shop.example/',
    'no address',
    'javascript:alert(1)',
  ])
    expect(withoutTracking(address), address).toBeNull();
});

test('does not unwrap an address that contains another one', () => {
  const wrapped = 'https://www.google.com/url?q=https%3A%2F%2Fevil.example%2F&sa=D';
  const cleaned = withoutTracking(wrapped);
  expect(cleaned === null || new URL(cleaned).hostname === 'www.google.com').toBe(true);
});
