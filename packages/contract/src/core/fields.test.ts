import { expect, test } from 'vitest';
import { base64, base64Bytes } from './fields.ts';
import { BODY_B64_MAX_CHARACTERS } from './limits.ts';

const body = base64(BODY_B64_MAX_CHARACTERS);

test('accepts only padded base64 of the standard alphabet', () => {
  for (const text of ['', 'AAAA', 'AAA=', 'AA==', '+/+/', 'AAAAAAA='])
    expect(body.safeParse(text).success, text).toBe(true);
  for (const text of [
    'A',
    'AA',
    'AAA',
    'AAAAA',
    'A===',
    '====',
    '=AAA',
    'AA=A',
    'AA-_',
    'AA A',
    'AAAA\n',
    'AAAA====',
  ])
    expect(body.safeParse(text).success, text).toBe(false);
});

test('accepts a body of the maximum size', () => {
  expect(body.safeParse('A'.repeat(BODY_B64_MAX_CHARACTERS)).success).toBe(true);
  expect(body.safeParse('A'.repeat(BODY_B64_MAX_CHARACTERS + 4)).success).toBe(false);
});

test('rejects a value of the wrong size in linear time', () => {
  const startedAt = performance.now();
  expect(base64Bytes(32).safeParse(`${'='.repeat(2_000_000)}x`).success).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(30_000);
  expect(base64Bytes(32).safeParse(`${'A'.repeat(43)}=`).success).toBe(true);
  expect(base64Bytes(32).safeParse(`${'A'.repeat(42)}==`).success).toBe(false);
  expect(base64Bytes(33).safeParse('A'.repeat(44)).success).toBe(true);
});
