import { expect, test } from 'vitest';
import { linkPageFor } from './frame-document.ts';

test('a link leads through the link page with its query intact', () => {
  expect(linkPageFor('https://shop.example/a?b=c&d=e#f')).toBe(
    '/link?url=https%3A%2F%2Fshop.example%2Fa%3Fb%3Dc%26d%3De%23f',
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
