import { expect, test } from 'vitest';
import { formatOfHead } from './format.ts';

const format = (text: string) => formatOfHead(new TextEncoder().encode(text));

test('a file format is recognized by its first bytes', () => {
  expect(format('!BDN\0\0')).toBe('pst');
  expect(format('PK\x03\x04')).toBe('zip');
  expect(formatOfHead(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0))).toBe('msg');
  expect(formatOfHead(Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1))).toBeNull();
  expect(format('From a@x.test Tue Mar  5 10:20:30 2019\nFrom: a@x.test\n')).toBe('mbox');
  expect(format('\r\nReceived: from a\r\nSubject: x\r\n\r\n')).toBe('eml');
  expect(format('\uFEFFSubject: x\r\n\r\n')).toBe('eml');
  expect(format('\uFEFFFrom a@x.test Tue Mar  5 10:20:30 2019\rFrom: a@x.test\r')).toBe('mbox');
  expect(format('312       \nFrom: a@x.test\nSubject: x\n\n')).toBe('eml');
  expect(format('312       \nwords\n')).toBeNull();
  expect(format('Hello: world')).toBeNull();
  expect(format('')).toBeNull();
});
