import { expect, test } from 'vitest';
import { findOneClickAddress, readUnsubscribeAddresses } from './list-unsubscribe.ts';

const words = 'List-Unsubscribe=One-Click';
const both = '<mailto:leave@list.example>, <https://list.example/u?id= 1>';

test('one-click unsubscribe needs one field of each kind and one https address', () => {
  expect(findOneClickAddress([both], [words])).toBe('https://list.example/u?id=1');
  expect(findOneClickAddress([both], [' list-unsubscribe = ONE-CLICK '])).toBe('https://list.example/u?id=1');
  for (const [unsubscribe, post] of [
    [[], [words]],
    [[both], []],
    [[both, both], [words]],
    [[both], [words, words]],
    [[both], [`${words}; more`]],
    [['<https://a.example/>, <https://b.example/>'], [words]],
    [['<http://a.example/>'], [words]],
    [['https://a.example/'], [words]],
    [['<https://>'], [words]],
  ] as const)
    expect(findOneClickAddress(unsubscribe, post), JSON.stringify([unsubscribe, post])).toBeNull();
});

test.each([
  ['<mailto:a@l.example>, <https://l.example/u>', ['mailto:a@l.example', 'https://l.example/u']],
  [
    '=?us-ascii?Q?=3Cmailto=3Aa=40l=2Eexample=3Fsubject=3Du=3E=2C?= =?us-ascii?Q?=3Chttps=3A=2F=2Fl=2Eexample=2Fu=3E?=',
    ['mailto:a@l.example?subject=u', 'https://l.example/u'],
  ],
  ['<=?utf-8?B?aHR0cHM6Ly9sLmV4YW1wbGUvdQ==?=>', ['https://l.example/u']],
  ['https://l.example/u/12345', ['https://l.example/u/12345']],
  ['mailto:a@l.example, https://l.example/u?a=1,2', ['mailto:a@l.example', 'https://l.example/u?a=1,2']],
  ['mailto:a@l.example https://l.example/u', ['mailto:a@l.example', 'https://l.example/u']],
  ['(leave here <https://no.example/>) <https://l.example/u_(1)>', ['https://l.example/u_(1)']],
  [
    '<https://l.example/u> (over the web), <mailto:a@l.example> (by mail)',
    ['https://l.example/u', 'mailto:a@l.example'],
  ],
  ['<https://l.example/ long/ path>', ['https://l.example/long/path']],
  ['<mailto:a@l.example, https://l.example/u>', ['mailto:a@l.example', 'https://l.example/u']],
  ['<a@l.example>', ['mailto:a@l.example']],
  ['<URL:https://l.example/u>', ['https://l.example/u']],
  ['"<MAILTO://a@l.example>"', ['mailto:a@l.example']],
  ['&lt;https://l.example/u&gt;', ['https://l.example/u']],
  ['<https://l.example/u', ['https://l.example/u']],
  ['To leave, write to the owner', []],
  ['javascript:alert(1)', []],
])('%s yields its addresses', (value, addresses) => {
  expect(readUnsubscribeAddresses(value)).toEqual(addresses);
});

test('an encoded field keeps its one-click address', () => {
  const encoded = '=?us-ascii?Q?=3Chttps=3A=2F=2Fl=2Eexample=2Fu=3E?=';
  expect(findOneClickAddress([encoded], [words])).toBe('https://l.example/u');
});

test('reads addresses in bounded time, whatever the field contains', () => {
  expect(readUnsubscribeAddresses('<a:b> (words) < c:d >, e:f')).toEqual(['a:b', 'c:d']);
  const startedAt = performance.now();
  for (const value of ['<'.repeat(1_000_000), `<${' '.repeat(1_000_000)}`, `<${'a '.repeat(500_000)}>`])
    expect(readUnsubscribeAddresses(value)).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
