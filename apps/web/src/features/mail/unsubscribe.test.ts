import type { Email } from '@keyfold/contract';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { expect, test } from 'vitest';
import type { OpenedMail } from '../../crypto/mail-opener.ts';
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

test('one click needs the field that allows it and a signature that covers both', () => {
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

test('a letter that leaves a list has a subject, the list’s own or the word for it', () => {
  const addressOf = (mailto: string) =>
    findUnsubscribe(mail(), content(`List-Unsubscribe: <${mailto}>`))?.address;
  const leave = 'mailto:leave@list.example';
  expect(addressOf(`${leave}?subject=Leave%20me&body=x`)).toBe(`${leave}?subject=Leave%20me&body=x`);
  expect(addressOf(leave)).toBe(`${leave}?subject=unsubscribe`);
  expect(addressOf(`${leave}?`)).toBe(`${leave}?subject=unsubscribe`);
  expect(addressOf(`${leave}?Subject=&body=x`)).toBe(`${leave}?body=x&subject=unsubscribe`);
});

test('a signature that only the message itself claims does not count', () => {
  const forged = content(
    'Authentication-Results: mx.test; dkim=pass; x-one-click=pass',
    'List-Unsubscribe: <https://a.example/>',
    post,
  );
  expect(findUnsubscribe(mail(), forged)?.kind).toBe('web');
});

test('what is no way out is none', () => {
  for (const field of [
    '',
    '<javascript:alert(1)>',
    'https://a.example/',
    '<mailto:>',
    '<https://>',
    '<ftp://a/b>',
  ])
    expect(findUnsubscribe(mail(signed), content(`List-Unsubscribe: ${field}`, post)), field).toBeNull();
  expect(findUnsubscribe(mail(signed, { flagged: true }), content(both, post))).toBeNull();
  expect(findUnsubscribe(mail(signed, { sent: true }), content(both, post))).toBeNull();
  expect(findUnsubscribe(mail(signed), { ...content(both, post), failed: 'x' })).toBeNull();
});
