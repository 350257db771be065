import { expect, test } from 'vitest';
import { findOneClickAddress, readUnsubscribeAddresses } from './list-unsubscribe.ts';

const words = 'List-Unsubscribe=One-Click';
const both = '<mailto:leave@list.example>, <https://list.example/u?id= 1>';

test('one click has one field of each kind and one https address', () => {
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

test('addresses are read in bounded time, whatever the field holds', () => {
  expect(readUnsubscribeAddresses('<a:b> (words) < c:d >, e:f')).toEqual(['a:b', 'c:d']);
  const startedAt = performance.now();
  for (const value of ['<'.repeat(1_000_000), `<${' '.repeat(1_000_000)}`, `<${'a '.repeat(500_000)}>`])
    expect(readUnsubscribeAddresses(value)).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
