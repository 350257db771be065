import { expect, test } from 'vitest';
import { textOf } from './text-file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('detects UTF-8, UTF-16 and the Western single-byte character set', () => {
  expect(textOf(utf8('\ufeffgröße'), false)).toBe('größe');
  expect(textOf(Uint8Array.of(0xff, 0xfe, 0x67, 0, 0xfc, 0), false)).toBe('gü');
  expect(textOf(Uint8Array.of(0xfe, 0xff, 0, 0x67, 0, 0xfc), false)).toBe('gü');
  expect(textOf(Uint8Array.of(0x67, 0xfc), false)).toBe('gü');
});

test('a truncated UTF-8 character does not change the detected character set', () => {
  const bytes = utf8('größe 😀');
  for (let cut = 1; cut <= 3; cut += 1)
    expect(textOf(bytes.subarray(0, bytes.length - cut), true)).toBe('größe ');
});

test('a truncated UTF-16 character does not change the detected character set', () => {
  const units = (text: string, isLittle: boolean) =>
    Uint8Array.from(
      `\ufeff${text}`.split('').flatMap(unit => {
        const code = unit.charCodeAt(0);
        return isLittle ? [code & 0xff, code >> 8] : [code >> 8, code & 0xff];
      }),
    );
  for (const isLittle of [true, false])
    for (const text of ['Größe 😀', '日本語の文字 😀', 'Привет 😀'])
      for (let cut = 1; cut <= 3; cut += 1) {
        const bytes = units(text, isLittle);
        const shown = textOf(bytes.subarray(0, bytes.length - cut), true);
        expect(text.startsWith(shown)).toBe(true);
        expect(shown.length).toBeGreaterThanOrEqual(text.length - 5);
      }
});
