import type { Email } from '@keyfold/contract';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { expect, test } from 'vitest';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';
import { findUnsubscribe } from './unsubscribe.ts';

const content = (...fields: string[]): OpenedMail => ({
  kind: 'mail',
  parsed: parseHeadersOnly(new TextEncoder().encode(`${fields.join('\r\n')}\r\n`)),
  failed: null,
  path: 'hybrid',
});
const mail = (headers = '', change: Partial<Email> = {}) =>
  ({ headers, sent: false, draft: false, flagged: false, ...change }) as Email;

const both =
  'List-Unsubscribe: <mailto:leave@list.example?subject=unsubscribe>,\r\n <https://list.example/u?id=1>';
const post = 'List-Unsubscribe-Post: List-Unsubscribe=One-Click';
const signed =
  'Authentication-Results: mx.test; dkim=pass header.d=list.example; spf=none; x-one-click=pass policy.mark=AA\r\n';

test('one-click unsubscribing needs its own header and a signature that covers both headers', () => {
  expect(findUnsubscribe(mail(signed), content(both, post))).toEqual({
    kind: 'one_click',
    address: 'https://list.example/u?id=1',
  });
  expect(findUnsubscribe(mail(), content(both, post))?.kind).toBe('mail');
  expect(findUnsubscribe(mail(signed), content(both))?.kind).toBe('mail');
  expect(findUnsubscribe(mail(signed), content(both, both, post))?.kind).toBe('mail');
  const held = 'Authentication-Results: mx.test; dkim=pass header.d=list.example\r\n';
  expect(findUnsubscribe(mail(held), content(both, post))?.kind).toBe('mail');
});

test('an unsubscribe message has the subject of the list or a default one', () => {
  const addressOf = (mailto: string) =>
    findUnsubscribe(mail(), content(`List-Unsubscribe: <${mailto}>`))?.address;
  const leave = 'mailto:leave@list.example';
  expect(addressOf(`${leave}?subject=Leave%20me&body=x`)).toBe(`${leave}?subject=Leave%20me&body=x`);
  expect(addressOf(leave)).toBe(`${leave}?subject=unsubscribe`);
  expect(addressOf(`${leave}?`)).toBe(`${leave}?subject=unsubscribe`);
  expect(addressOf(`${leave}?Subject=&body=x`)).toBe(`${leave}?body=x&subject=unsubscribe`);
});

test('a signature result that only the message itself claims does not count', () => {
  const forged = content(
    'Authentication-Results: mx.test; dkim=pass; x-one-click=pass',
    'List-Unsubscribe: <https://a.example/>',
    post,
  );
  expect(findUnsubscribe(mail(), forged)?.kind).toBe('web');
});

test('an invalid field, or mail that is spam, sent or unopened, offers no unsubscribing', () => {
  for (const field of [
    '',
    '<javascript:alert(1)>',
    'To leave, write to its owner',
    '<mailto:>',
    '<https://>',
    '<ftp://a/b>',
  ])
    expect(findUnsubscribe(mail(signed), content(`List-Unsubscribe: ${field}`, post)), field).toBeNull();
  expect(findUnsubscribe(mail(signed, { flagged: true }), content(both, post))).toBeNull();
  expect(findUnsubscribe(mail(signed, { sent: true }), content(both, post))).toBeNull();
  expect(findUnsubscribe(mail(signed), { ...content(both, post), failed: 'x' })).toBeNull();
});

test('an encoded field and one without brackets are accepted', () => {
  const encoded =
    'List-Unsubscribe: =?us-ascii?Q?=3Cmailto=3Aleave=40lists=2Eexample=3Fsubject=3Dunsubscribe=3E=2C?=\r\n =?us-ascii?Q?=3Chttps=3A=2F=2Flists=2Eexample=2Fu=2F12345=3E?=';
  expect(findUnsubscribe(mail(), content(encoded, post))).toEqual({
    kind: 'mail',
    address: 'mailto:leave@lists.example?subject=unsubscribe',
  });
  expect(findUnsubscribe(mail(signed), content(encoded, post))?.kind).toBe('one_click');
  const bare = 'List-Unsubscribe: https://lists.example/u/12345';
  const page = { kind: 'web', address: 'https://lists.example/u/12345' };
  expect(findUnsubscribe(mail(), content(bare))).toEqual(page);
  expect(findUnsubscribe(mail(signed), content(bare, post))).toEqual(page);
});
