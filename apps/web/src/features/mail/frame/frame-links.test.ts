import { expect, test } from 'vitest';
import { linkPageFor, otherHostIn } from './frame-links.ts';

test('a link leads to the link page with its query intact', () => {
  expect(linkPageFor('https://shop.example/a?b=c&d=e#f')).toBe(
    '/link#url=https%3A%2F%2Fshop.example%2Fa%3Fb%3Dc%26d%3De%23f',
  );
});

test('only http and https are followed', () => {
  for (const href of [
    'javascript:alert(1)',
    'data:text/html,x',
    '/app/inbox',
    '#top',
    'cid:1',
    'file:///x',
  ]) {
    expect(linkPageFor(href), href).toBeNull();
  }
});

test('link text that names another site than the address is passed to the link page', () => {
  expect(otherHostIn('www.bank.example', 'https://evil.example/')).toBe('bank.example');
  expect(otherHostIn('https://bank.example/login', 'https://bank.example.evil.test/login')).toBe(
    'bank.example',
  );
  expect(otherHostIn('bank.example', 'https://login.bank.example/')).toBeNull();
  expect(otherHostIn('https://www.bank.example/a', 'https://bank.example/b')).toBeNull();
  expect(otherHostIn('\u202ahttps://bank.example\u202c', 'https://evil.example/')).toBe('bank.example');
  expect(otherHostIn('Read more', 'https://evil.example/')).toBeNull();
  for (const words of [
    'www.bank.example.',
    '\u{1f512} bank.example',
    '\u2192 (https://bank.example)',
    'bank.example\u2044login',
    'bank\u3002example',
    'bank\uff0eexample',
    'bank\u2024example, now',
    '\uff42\uff41\uff4e\uff4b.example!',
  ])
    expect(otherHostIn(words, 'https://evil.example/'), words).toBe('bank.example');
  expect(otherHostIn('https://bank.xn--p1ai/', 'https://evil.example/')).toBe('bank.xn--p1ai');
  expect(otherHostIn('bank.example.', 'https://bank.example/')).toBeNull();
  expect(otherHostIn('version 2.0 is out', 'https://evil.example/')).toBeNull();
  expect(otherHostIn('bаnk.example', 'https://bank.example/')).toBe('xn--bnk-6cd.example');
  expect(linkPageFor('https://evil.example/', 'bank.example')).toBe(
    '/link#url=https%3A%2F%2Fevil.example%2F&named=bank.example',
  );
});
