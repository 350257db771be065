import { describe, expect, test } from 'vitest';
import { findPolicyId, isMxAllowed, readPolicy } from './sts-policy.ts';

describe('an MTA-STS record', () => {
  test.each<[unknown[], string | null]>([
    [[['v=STSv1; id=20160831085700Z;']], '20160831085700Z'],
    [[['v=STSv1; i', 'd=7']], '7'],
    [[['spf or so'], ['v=STSv1;id=a;x=y']], 'a'],
    [[], null],
    [[['v=STSv1; id=1'], ['v=STSv1; id=2']], null],
    [[['v=STSv1; id=']], null],
    [[['v=STSv1; id=a-b']], null],
    [[['v=STSv11; id=1']], null],
    [[['V=stsv1; id=1']], null],
    [['text'], null],
  ])('%j has the id %j', (records, id) => {
    expect(findPolicyId(records)).toBe(id);
  });
});

const lines = (...given: string[]): string => given.join('\r\n');
const good = ['version: STSv1', 'mode: enforce', 'mx: mail.example', 'mx: *.Example.net', 'max_age: 86400'];

describe('the text of an MTA-STS policy', () => {
  test('is read with any line endings and with unknown fields', () => {
    const policy = {
      id: '1',
      mode: 'enforce',
      mx: ['mail.example', '*.example.net'],
      maxAgeSeconds: 86_400,
    };
    expect(readPolicy(lines(...good, 'future: yes', ''), '1')).toEqual(policy);
    expect(readPolicy(good.join('\n'), '1')).toEqual(policy);
    // For a field that may occur once, the first occurrence counts.
    expect(readPolicy(lines(...good, 'mode: none', 'max_age: 1'), '1')).toEqual(policy);
  });

  test('is parsed in linear time, also when it is hostile', () => {
    const policy = readPolicy(lines(...good), '1');
    for (const line of [`a:${' '.repeat(60_000)}\rx`, `a:x${' '.repeat(60_000)}x`, `a${' '.repeat(60_000)}:`])
      expect(readPolicy(lines(line, ...good), '1')).toEqual(policy);
  });

  test('is kept for a year at most', () => {
    expect(readPolicy(lines('version: STSv1', 'mode: none', 'max_age: 9999999999'), '1')).toEqual({
      id: '1',
      mode: 'none',
      mx: [],
      maxAgeSeconds: 31_557_600,
    });
  });

  test.each([
    ['', 'nothing'],
    [lines(...good).replace('STSv1', 'STSv2'), 'another version'],
    [lines(...good).replace('enforce', 'maybe'), 'an unknown mode'],
    [lines('version: STSv1', 'mode: enforce', 'max_age: 1'), 'no mail server'],
    [lines(...good).replace('86400', '-1'), 'a negative age'],
    [lines(...good).replace('max_age: 86400', ''), 'no age'],
    [lines(...good, 'mx: *.*.example'), 'two stars'],
    [
      lines(...good, ...Array.from({ length: 101 }, (_, index) => `mx: m${index}.example`)),
      'a hundred servers',
    ],
    ['<html>version: STSv1</html>', 'a page'],
  ])('%# is invalid with %s', text => {
    expect(readPolicy(text, '1')).toBeNull();
  });
});

test('a wildcard matches exactly one label, and a plain name matches only itself', () => {
  const policy = { mx: ['mail.example', '*.example.net'] };
  for (const name of ['mail.example', 'MAIL.example.', 'a.example.net'])
    expect(isMxAllowed(policy, name), name).toBe(true);
  for (const name of [
    'example.net',
    'a.b.example.net',
    'xmail.example',
    'mail.example.evil',
    'evilexample.net',
  ])
    expect(isMxAllowed(policy, name), name).toBe(false);
});
