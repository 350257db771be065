import { expect, test } from 'vitest';
import { isAligned, organizationOf } from './alignment.ts';

test.each([
  ['example.org', 'example.org', true],
  ['mail.example.org', 'example.org', true],
  ['example.org', 'a.b.example.org', true],
  ['mail.example.org', 'news.example.org', true],
  ['one.co.uk', 'two.co.uk', false],
  ['example.org', 'badexample.org', false],
  ['example.org', 'example.net', false],
])('%s and %s', (one, other, isOne) => {
  expect(isAligned(one, other)).toBe(isOne);
  expect(isAligned(other, one)).toBe(isOne);
});

test.each([
  ['example.org', 'example.org'],
  ['a.b.example.org', 'example.org'],
  ['mail.one.co.uk', 'one.co.uk'],
  ['co.uk', 'co.uk'],
  ['localhost', 'localhost'],
  ['fbl.big.test', 'big.test'],
])('the organizational domain of %s is %s', (domain, organization) => {
  expect(organizationOf(domain)).toBe(organization);
});
