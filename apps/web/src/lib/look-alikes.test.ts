import { expect, test } from 'vitest';
import { isForeignHost, lookAlikeOf, mixesScripts, skeletonOf } from './look-alikes.ts';

const known = ['paypal.com', 'keyfold.test', 'harborlight.example'];

test('names made of other letters look like the names they imitate', () => {
  for (const host of ['paypa1.com', 'pаypal.com', 'рaypal.com', 'paypaI.com', 'PAYPAL.com'.replace('L', '1')])
    expect(lookAlikeOf(host, known), host).toBe('paypal.com');
  expect(lookAlikeOf('harborIight.example', known)).toBe('harborlight.example');
  expect(lookAlikeOf('keyfo1d.test', known)).toBe('keyfold.test');
  expect(skeletonOf('rnicrosoft')).toBe(skeletonOf('microsoft'));
});

test('the name itself, what lies below it, and names of their own are no imitation', () => {
  for (const host of ['paypal.com', 'mail.paypal.com', 'example.org', '', 'not a host'])
    expect(lookAlikeOf(host, known), host).toBeNull();
});

test('scripts that are mixed in one word and foreign letters are seen', () => {
  expect(mixesScripts('pаypal.com')).toBe(true);
  expect(mixesScripts('яндекс.рф')).toBe(false);
  expect(mixesScripts('bücher.example')).toBe(false);
  expect(isForeignHost('яндекс.рф')).toBe(true);
  expect(isForeignHost('xn--pple-43d.example')).toBe(true);
  expect(isForeignHost('apple.example')).toBe(false);
});
