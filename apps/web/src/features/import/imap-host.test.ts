import { expect, test } from 'vitest';
import { isPort, readImapHost } from './imap-host.ts';

test.each([
  ['imap.gmail.com', 'imap.gmail.com', null],
  [' IMAP.Gmail.com. ', 'imap.gmail.com', null],
  ['https://imap.gmail.com/', 'imap.gmail.com', null],
  ['https://mail.example.org:443/webmail?folder=INBOX#1', 'mail.example.org', null],
  ['imaps://ann%40old.test@imap.old.test:993/INBOX', 'imap.old.test', '993'],
  ['imap.old.test:143', 'imap.old.test', '143'],
  ['imap.old.test/', 'imap.old.test', null],
  ['post.müller.example', 'post.xn--mller-kva.example', null],
  ['dovecot', 'dovecot', null],
  ['my_host.old.test', 'my_host.old.test', null],
  ['93.184.216.40', '93.184.216.40', null],
  ['2001:db8::1', '2001:db8::1', null],
  ['[2001:db8::1]:993', '2001:db8::1', '993'],
  ['imap://[::1]/', '::1', null],
])('accepts %s as a mail server', (typed, host, port) => {
  expect(readImapHost(typed)).toEqual({ host, port });
});

test.each([
  '',
  '  ',
  'https://',
  'not a host',
  'ann@gmail.com',
  'a..b',
  '-',
  'a<b>',
  'http://%',
  'x'.repeat(300),
])('rejects %s as a mail server', typed => {
  expect(readImapHost(typed)).toBeNull();
});

test('accepts only valid port numbers', () => {
  expect(['1', '143', '993', '65535'].every(isPort)).toBe(true);
  expect(['', 'abc', '0', '0993', '65536', '-1', '99.3', ' 1'].some(isPort)).toBe(false);
});
