import { expect, test } from 'vitest';
import { isPagePath } from './web-client.ts';

test.each([
  '/',
  '/app',
  '/app/inbox/recieved/0',
  '/app/inbox/v1.0',
  '/app/inbox/v1.0/2',
  '/app/inbox/.later/0',
  '/app/event/one@example.org',
  '/anything',
  '/anything/',
  '/version 1. of it',
  '/ends.',
  '/evil.example/x',
  '/index.html',
])('%s is a page', pathname => {
  expect(isPagePath(pathname)).toBe(true);
});

test.each([
  '/.env',
  '/.git/config',
  '/%2egit/config',
  '/%2Egit%2Fconfig',
  '/app/.svn/entries',
  '/a/.htpasswd/b',
  '/.well-known/unserved',
  '/.well-known/acme-challenge/token',
  '/..',
  '/..%5c..%5cwin',
  '/.%zz/x',
  '/wp-login.php',
  '/wp-login.php/',
  '/wp-config.php~',
  '/dump.sql.gz',
  '/backup.tar.bz2',
  '/a/b.c_d',
  '/secret%2etxt',
  '/photo.jpé',
  '/app/config/x.json',
  '/app/inbox/a/b/c.php',
])('%s is not a page', pathname => {
  expect(isPagePath(pathname)).toBe(false);
});
