// Unpacking of RTF by the examples of [MS-OXRTFCP] 4.1, and what RTF says.
import { describe, expect, test } from 'vitest';
import { RTF_MAX_BYTES } from './limits.ts';
import { readRtf } from './rtf-text.ts';
import { unpackRtf } from './rtf-unpack.ts';

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.trim().split(/\s+/), pair => Number.parseInt(pair, 16));
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, char => char.charCodeAt(0));
const say = (rtf: string) => readRtf(latin1(rtf));

describe('unpacking', () => {
  test('the examples of the specification', () => {
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

  test('what says that it is larger than it can be gives no more than it has', () => {
    const liar = bytesOf('0e 00 00 00 ff ff ff 00 4c 5a 46 75 00 00 00 00 00 41 42');
    expect(unpackRtf(liar).length).toBeLessThan(200);
    expect(() => unpackRtf(bytesOf('0e 00 00 00 ff ff ff 7f 4c 5a 46 75 00 00 00 00 00'))).toThrow(
      expect.objectContaining({ code: 'too_large' }),
    );
  });

  test('what is not packed at all is bounded as what is', () => {
    const plain = new Uint8Array(RTF_MAX_BYTES + 17);
    plain.set(bytesOf('00 00 00 00 ff ff ff 7f 4d 45 4c 41 00 00 00 00'));
    expect(() => unpackRtf(plain)).toThrow(expect.objectContaining({ code: 'too_large' }));
    expect(unpackRtf(plain.subarray(0, 1_000))).toHaveLength(984);
  });

  test('what is not packed so is refused', () => {
    expect(() => unpackRtf(latin1('{\\rtf1 no}         '))).toThrow(
      expect.objectContaining({ code: 'damaged' }),
    );
    expect(() => unpackRtf(new Uint8Array(3))).toThrow(expect.objectContaining({ code: 'damaged' }));
  });
});

describe('what RTF says', () => {
  test('the HTML in its tags and the text between them, without the doubles for other programs', () => {
    const rtf =
      '{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 {\\fonttbl{\\f0\\fcharset204 Arial;}{\\f1\\fcharset0 A;}}' +
      '{\\*\\htmltag64 <p title="\\{x\\}">}\\htmlrtf {\\b\\htmlrtf0 \\f0 \\\'cf\\f1 \\\'e9\\htmlrtf }\\htmlrtf0 \\line' +
      '{\\*\\mhtmltag72 gone}{\\*\\htmltag72 </p>\\par }{\\*\\unknown hidden}\\~\\u8364 ?\\uc2\\u8364 ??!}';
    expect(say(rtf)).toEqual({
      kind: 'html',
      content: '<p title="{x}">\u041f\u00e9\r\n</p>\r\n&nbsp;\u20ac\u20ac!',
    });
  });

  test('a long text, in pieces and in one, is whole', () => {
    const words = 'word\\~'.repeat(20_000);
    expect(say(`{\\rtf1\\ansi ${words}}`).content).toBe('word\u00a0'.repeat(20_000));
    // No double byte is cut in two.
    const kana = "\\'82\\'a0".repeat(70_001);
    expect(say(`{\\rtf1\\ansi\\ansicpg932 ${kana}}`).content).toBe('\u3042'.repeat(70_001));
  });

  test('the text that is wrapped in it', () => {
    expect(say('{\\rtf1\\ansi\\fromtext{\\colortbl;\\red1;}one\\par two\\tab{\\b three}\\emdash}')).toEqual({
      kind: 'text',
      content: 'one\r\ntwo\tthree\u2014',
    });
  });

  test('the plain text of what was written as RTF', () => {
    const rtf =
      '{\\rtf1{\\stylesheet{\\s0 Normal;}}{\\info{\\author Me}}{\\pict\\bin3 }}}}Hi\\cell there\\row{\\field{\\*\\fldinst X}{\\fldrslt link}}}';
    expect(say(rtf)).toEqual({ kind: 'text', content: 'Hi\tthere\r\nlink' });
  });

  test('what ends in the middle, or is opened without end', () => {
    expect(say('{\\rtf1 abc\\').content).toBe('abc');
    expect(say("{\\rtf1 abc\\'").content).toBe('abc');
    expect(say('}}}}abc').content).toBe('abc');
    expect(() => say('{'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'damaged' }));
  });
});
