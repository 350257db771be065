import { expect, test } from 'vitest';
import { isForeignHost, lookAlikeOf, mixesScripts, skeletonOf } from './look-alikes.ts';

const known = ['paypal.com', 'keyfold.test', 'harborlight.example'];

test('names with confusable characters look like the names they imitate', () => {
  for (const host of ['paypa1.com', 'pаypal.com', 'рaypal.com', 'paypaI.com', 'PAYPAL.com'.replace('L', '1')])
    expect(lookAlikeOf(host, known), host).toBe('paypal.com');
  expect(lookAlikeOf('harborIight.example', known)).toBe('harborlight.example');
  expect(lookAlikeOf('keyfo1d.test', known)).toBe('keyfold.test');
  expect(skeletonOf('rnicrosoft')).toBe(skeletonOf('microsoft'));
});

test('a known name, its subdomains and unrelated names are no imitation', () => {
  for (const host of ['paypal.com', 'mail.paypal.com', 'example.org', '', 'not a host'])
    expect(lookAlikeOf(host, known), host).toBeNull();
});

test('detects mixed scripts in one word and foreign scripts', () => {
  expect(mixesScripts('pаypal.com')).toBe(true);
  expect(mixesScripts('яндекс.рф')).toBe(false);
  expect(mixesScripts('bücher.example')).toBe(false);
  expect(isForeignHost('яндекс.рф')).toBe(true);
  expect(isForeignHost('xn--pple-43d.example')).toBe(true);
  expect(isForeignHost('apple.example')).toBe(false);
});
