// Byte helpers: strict base64 in both implementations, constant-time comparison, wiping.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  concatBytes,
  decodeBase64,
  decodeBase64Portable,
  encodeBase64,
  encodeBase64Portable,
  encodeHex,
  equalBytes,
  isAllZero,
  requireSize,
  wipe,
} from './bytes.ts';

const codecs = [
  { name: 'platform', encode: encodeBase64, decode: decodeBase64 },
  { name: 'portable', encode: encodeBase64Portable, decode: decodeBase64Portable },
];

describe.each(codecs)('base64, $name', ({ encode, decode }) => {
  it('matches Node and round-trips', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const text = encode(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decode(text)).toEqual(bytes);
      }),
    );
  });

  it('refuses every non-canonical encoding', () => {
    const spellings = [
      ' ',
      'QQ',
      'QQ=',
      'QR==',
      'QUF=',
      'QQ==\n',
      ' QQ==',
      'Q Q=',
      'Q-_=',
      '=',
      '====',
      'QQ=Q',
    ];
    for (const text of [...spellings, 'QQ==QQ==', 'QUJD    ', 'QUJ\u0101', '****', 'A', 'AAAAA'])
      expect(() => decode(text), JSON.stringify(text)).toThrow(SyntaxError);
  });

  it('accepts only text that it would have written', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'AQgwZz09+/= \n-_'.split('')), maxLength: 12 });
    fc.assert(
      fc.property(digits, text => {
        let bytes: Uint8Array;
        try {
          bytes = decode(text);
        } catch {
          return;
        }
        expect(encode(bytes)).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  it('round-trips a megabyte', () => {
    const bytes = new Uint8Array(1_000_001).map((_, i) => i * 7);
    expect(equalBytes(decode(encode(bytes)), bytes)).toBe(true);
  });
});

it('refuses a value that is not a string', () => {
  expect(() => decodeBase64(undefined as unknown as string)).toThrow(SyntaxError);
});

it('compares bytes by content and length', () => {
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
  expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 0))).toBe(false);
  expect(equalBytes(new Uint8Array(0), new Uint8Array(0))).toBe(true);
});

it('recognizes all-zero bytes', () => {
  expect(isAllZero(new Uint8Array(32))).toBe(true);
  expect(isAllZero(Uint8Array.of(0, 0, 128))).toBe(false);
});

it('concatenates without changing its inputs, and wipes its arguments', () => {
  const [a, b] = [Uint8Array.of(1), Uint8Array.of(2, 3)];
  const joined = concatBytes(a, new Uint8Array(0), b);
  expect([...joined]).toEqual([1, 2, 3]);
  wipe(joined, null, undefined);
  expect([...joined, ...a, ...b]).toEqual([0, 0, 0, 1, 2, 3]);
});

it('writes lowercase hex', () => {
  expect(encodeHex(Uint8Array.of(0, 10, 255))).toBe('000aff');
});

it('refuses a wrong size without revealing the bytes', () => {
  expect(() => requireSize(Uint8Array.of(201, 202), 3, 'Salt')).toThrow(/^Salt must be 3 bytes$/);
  expect(() => requireSize('abc' as unknown as Uint8Array, 3, 'Salt')).toThrow(RangeError);
});
