import { expect, test } from 'vitest';
import { linkPath } from '../../paths.ts';
import { checkLink, namedHost, readAskedLink } from './link-check.ts';

test('keeps a link in the fragment, which no server sees, and reads it from there', () => {
  const url = 'https://shop.example/reset?token=a+b&c=%2F#part';
  const page = new URL(linkPath(url, 'bank.example'), 'https://mail.example');
  expect(page.pathname + page.search).toBe('/link');
  expect(readAskedLink(page)).toEqual({ url, named: 'bank.example' });
  expect(readAskedLink(new URL(linkPath(url), 'https://mail.example'))).toEqual({ url, named: null });
});

test('reads a link from the query too, but prefers the fragment', () => {
  const asked = { url: 'https://a.example/?x=1', named: 'b.example' };
  const search = `?${new URLSearchParams(asked)}`;
  expect(readAskedLink({ search, hash: '' })).toEqual(asked);
  expect(readAskedLink({ search, hash: '#top' })).toEqual(asked);
  expect(readAskedLink({ search, hash: '#url=https%3A%2F%2Fc.example%2F' })).toEqual({
    url: 'https://c.example/',
    named: null,
  });
  expect(readAskedLink({ search: '', hash: '' })).toEqual({ url: null, named: null });
});

test('the stripped link has no query, and the original one keeps it', () => {
  const link = checkLink('https://shop.example/offer/autumn?utm_source=news&uid=88213');
  expect(link?.stripped).toBe('https://shop.example/offer/autumn');
  expect(link?.original).toBe('https://shop.example/offer/autumn?utm_source=news&uid=88213');
  expect(link?.parts).toEqual({ before: 'https://', host: 'shop.example', after: '/offer/autumn' });
  expect(link?.canOpen).toBe(true);
});

test('returns null without a URL', () => {
  expect(checkLink(null)).toBeNull();
  expect(checkLink('  ')).toBeNull();
});

test('only http and https can be opened', () => {
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'JAVASCRIPT:x',
    '/relative',
    'blob:https://a/b',
  ]) {
    expect(checkLink(url)?.canOpen, url).toBe(false);
  }
});

test('user information before the host is not shown as the host', () => {
  expect(checkLink('https://bank.example@evil.example/login')?.parts).toEqual({
    before: 'https://bank.example@',
    host: 'evil.example',
    after: '/login',
  });
});

test('a host with non-Latin letters shows its ASCII form', () => {
  expect(checkLink('https://аpple.example/')?.lookalikeHost).toBe('xn--pple-43d.example');
  expect(checkLink('https://xn--pple-43d.example/')?.lookalikeHost).toBe('xn--pple-43d.example');
  expect(checkLink('https://apple.example/')?.lookalikeHost).toBeNull();
});

test('the port and the fragment are not part of the host', () => {
  expect(checkLink('http://host.example:8080#x')?.parts).toEqual({
    before: 'http://',
    host: 'host.example',
    after: ':8080#x',
  });
});

test('shows the host that a browser opens, however the address is written', () => {
  for (const url of [
    'https://evil.example\\@bank.example/login',
    'https:\\\\evil.example\\@bank.example/',
    'https:/evil.example/@bank.example',
    'https:evil.example',
    'https://evil.\nexample/#@bank.example',
    'https://evil.example%2f@evil.example:443/?@bank.example',
    'https://EVIL.example/',
  ]) {
    const link = checkLink(url);
    expect(new URL(link?.stripped ?? '').hostname, url).toBe('evil.example');
    expect(link?.parts?.host.toLowerCase(), url).toBe('evil.example');
  }
});

test('shows the host in the link text only when it is a valid host and a different one', () => {
  expect(namedHost('bank.example', 'https://evil.example/')).toBe('bank.example');
  expect(namedHost('bank.example', 'https://www.bank.example/')).toBeNull();
  for (const named of [null, '', 'call 0800 now', '<b>x</b>.y', 'a'.repeat(300)])
    expect(namedHost(named, 'https://evil.example/')).toBeNull();
});

test('shows the host of an IPv6 address', () => {
  expect(checkLink('http://[2001:db8::1]:8080/a?b=1')).toMatchObject({
    stripped: 'http://[2001:db8::1]:8080/a',
    parts: { before: 'http://', host: '[2001:db8::1]', after: ':8080/a' },
    canOpen: true,
  });
  expect(checkLink('https://bank.example@[::ffff:192.0.2.1]/')?.parts?.host).toBe('[::ffff:192.0.2.1]');
});

test('shows bidi controls and invisible characters percent-encoded and says so', () => {
  for (const hidden of ['\u202e', '\u2066', '\u200b', '\u00ad', '\u2028', '\u3000', '\ufeff', '\u{e0101}']) {
    const link = checkLink(`https://evil.example/${hidden}gro.knab?x=${hidden}1`);
    expect(link?.hasHidden, hidden).toBe(true);
    expect(link?.stripped).toBe(`https://evil.example/${encodeURIComponent(hidden)}gro.knab`);
    expect(link?.original).not.toContain(hidden);
    expect(link?.parts?.host).toBe('evil.example');
  }
  const host = checkLink('https://bank\u200b.example\u202e/');
  expect(host?.hasHidden).toBe(true);
  expect(`${host?.stripped}${host?.original}`).not.toMatch(/[\u200b\u202e]/u);
  expect(checkLink('https://shop.example/a%20b?c=d')?.hasHidden).toBe(false);
});
