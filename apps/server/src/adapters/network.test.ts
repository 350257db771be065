import { expect, test } from 'vitest';
import { networkOf, networkText, plainAddress, siteOf } from './network.ts';

test('an IPv6 address is identified by its /64 network', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0');
  expect(networkOf('::1')).toBe('0:0:0:0');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
});

test('an IPv4-mapped IPv6 address is treated as the IPv4 address', () => {
  expect(plainAddress('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(plainAddress('::FFFF:192.0.2.1')).toBe('192.0.2.1');
  expect(plainAddress('2001:db8::ffff:1')).toBe('2001:db8::ffff:1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(networkText('::ffff:192.0.2.1')).toBe('192.0.2.1');
});

test('a network is written in its shortest form', () => {
  expect(networkText('2001:db8:1:20:3:4:5:6')).toBe('2001:db8:1:20::/64');
  expect(networkText('2001:db8::1')).toBe('2001:db8::/64');
  expect(networkText('2001:0:0:7::1')).toBe('2001:0:0:7::/64');
  expect(networkText('::1')).toBe('::/64');
});

test('a site is a /24 or a /48, from an address and from a network', () => {
  expect(siteOf('192.0.2.1')).toBe('192.0.2');
  expect(siteOf('::ffff:192.0.2.1')).toBe('192.0.2');
  expect(siteOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1');
  expect(siteOf(networkOf('2001:db8::1'))).toBe('2001:db8:0');
});
