import { decodeUnlabelled } from '@keyfold/mail/mime/charsets';
import { expect, test } from 'vitest';
import { textOf } from './text-file.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('UTF-8, UTF-16 and the old character set of the west are told apart', () => {
  expect(textOf(utf8('\ufeffgröße'), false, decodeUnlabelled)).toBe('größe');
  expect(textOf(Uint8Array.of(0xff, 0xfe, 0x67, 0, 0xfc, 0), false, decodeUnlabelled)).toBe('gü');
  expect(textOf(Uint8Array.of(0x67, 0xfc), false, decodeUnlabelled)).toBe('gü');
});

test('a character that the cut tore apart does not change the character set', () => {
  const bytes = utf8('größe 😀');
  for (let cut = 1; cut <= 3; cut += 1)
    expect(textOf(bytes.subarray(0, bytes.length - cut), true, decodeUnlabelled)).toBe('größe ');
});
