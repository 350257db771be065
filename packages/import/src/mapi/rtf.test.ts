// RTF decompression with the examples of [MS-OXRTFCP] 4.1, and the text extracted from RTF.
import { describe, expect, test } from 'vitest';
import { RTF_MAX_BYTES } from './limits.ts';
import { readRtf } from './rtf-text.ts';
import { unpackRtf } from './rtf-unpack.ts';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.trim().split(/\s+/), pair => Number.parseInt(pair, 16));
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, char => char.charCodeAt(0));
const say = (rtf: string) => readRtf(latin1(rtf));

describe('unpacking compressed RTF', () => {
  test('matches the examples of the specification', () => {
    const simple = bytesOf(
      '2d 00 00 00 2b 00 00 00 4c 5a 46 75 f1 c5 c7 a7 03 00 0a 00 72 63 70 67 31 32 35 42 32 0a f3 20 68 65 6c 09 00 20 62 77 05 b0 6c 64 7d 0a 80 0f a0',
    );
    expect(String.fromCharCode(...unpackRtf(simple))).toBe(
      '{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n',
    );
    const crossing = bytesOf(
      '1a 00 00 00 1c 00 00 00 4c 5a 46 75 e2 d4 4b 51 41 00 04 20 57 58 59 5a 0d 6e 7d 01 0e b0',
    );
    expect(String.fromCharCode(...unpackRtf(crossing))).toBe('{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}');
  });

  test('returns no more data than exists for a false size', () => {
    const liar = bytesOf('0e 00 00 00 ff ff ff 00 4c 5a 46 75 00 00 00 00 00 41 42');
    expect(unpackRtf(liar).length).toBeLessThan(200);
    expect(() => unpackRtf(bytesOf('0e 00 00 00 ff ff ff 7f 4c 5a 46 75 00 00 00 00 00'))).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
  });

  test('applies the same limit to uncompressed data', () => {
    const plain = new Uint8Array(RTF_MAX_BYTES + 17);
    plain.set(bytesOf('00 00 00 00 ff ff ff 7f 4d 45 4c 41 00 00 00 00'));
    expect(() => unpackRtf(plain)).toThrow(expect.objectContaining({ code: 'too_large' }));
    expect(unpackRtf(plain.subarray(0, 1_000))).toHaveLength(984);
  });

  test('refuses data in another format', () => {
    expect(() => unpackRtf(latin1('{\\rtf1 no}         '))).toThrow(
      expect.objectContaining({ code: 'damaged' }),
    );
    expect(() => unpackRtf(new Uint8Array(3))).toThrow(expect.objectContaining({ code: 'damaged' }));
  });
});

describe('reading RTF', () => {
  test('returns the HTML in its tags, without the duplicates for other programs', () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset0 A;}}' +
      '{\\*\\htmltag64 <p title="\\{x\\}">}\\htmlrtf {\\b\\htmlrtf0 \\f0 \\\'cf\\f1 \\\'e9\\htmlrtf }\\htmlrtf0 \\line' +
      '{\\*\\mhtmltag72 gone}{\\*\\htmltag72 </p>\\par }{\\*\\unknown hidden}\\~\\u8364 ?\\uc2\\u8364 ??!}';
    expect(say(rtf)).toEqual({
      kind: 'html',
      content: '<p title="{x}">\u041f\u00e9\r\n</p>\r\n&nbsp;\u20ac\u20ac!',
    });
  });

  test('reads a long text whole, in pieces or in one run', () => {
    const words = 'word\\~'.repeat(20_000);
    expect(say(`{\\rtf1\\ansi ${words}}`).content).toBe('word\u00a0'.repeat(20_000));
    // No double-byte character is split.
    const kana = "\\'82\\'a0".repeat(70_001);
    expect(say(`{\\rtf1\\ansi\\ansicpg932 ${kana}}`).content).toBe('\u3042'.repeat(70_001));
  });

  test('returns the wrapped plain text', () => {
    expect(say('{\\rtf1\\ansi\\fromtext{\\colortbl;\\red1;}one\\par two\\tab{\\b three}\\emdash}')).toEqual({
      kind: 'text',
      content: 'one\r\ntwo\tthree\u2014',
    });
  });

  test('returns the plain text of native RTF', () => {
    const rtf =
      '{\\rtf1{\\stylesheet{\\s0 Normal;}}{\\info{\\author Me}}{\\pict\\bin3 }}}}Hi\\cell there\\row{\\field{\\*\\fldinst X}{\\fldrslt link}}}';
    expect(say(rtf)).toEqual({ kind: 'text', content: 'Hi\tthere\r\nlink' });
  });

  test('reads truncated RTF and refuses endless nesting', () => {
    expect(say('{\\rtf1 abc\\').content).toBe('abc');
    expect(say("{\\rtf1 abc\\'").content).toBe('abc');
    expect(say('}}}}abc').content).toBe('abc');
    expect(() => say('{'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'damaged' }));
  });
});
