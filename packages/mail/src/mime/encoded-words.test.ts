// Encoded words and character sets, especially the cases that postal-mime breaks.

import { describe, expect, test } from 'vitest';
import { base64Lines, bytesOfLatin1, toBase64 } from '../bytes.ts';
import { decodeText } from './charsets.ts';
import { decodeWords, encodeWords } from './encoded-words.ts';
import { formatParameter, parseStructured, stripComments } from './parameters.ts';
import { decodeTransfer, encodeBase64Pieces, encodeQuotedPrintable } from './transfer.ts';

const linesOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');

describe('decoding words', () => {
  test.each([
    ['plain', 'plain'],
    ['=?utf-8?Q?a=C3=A9b?= c', 'aéb c'],
    ['=?UTF-8?B?5pel?= =?utf-8?Q?=E6=9C=AC?=', '日本'],
    ['=?utf-8?B?5g==?= =?utf-8?B?l6U=?=', '日'], // one character over two padded words
    ['=?utf-8?Q?=E6?=\r\n =?utf-8?Q?=97=A5?=', '日'],
    ['=?utf-8?Q?=E6?= =?UTF-8?B?l6U=?=', '日'], // and over two encodings
    ['=?utf-8?B?5pel5pys?==?utf-8?B?6Kqe?=', '日本語'],
    ['=?utf-8?B?5pel5p?= =?utf-8?B?ysIQ==?=', '日本\u00ac!'.replace('\u00ac', '')],
    ['=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=', '日本'],
    ['=?mac-cyrillic?Q?=8F=F0=E8=E2=E5=F2?=', 'Привет'],
    ['=?utf-8*en?Q?hi?=', 'hi'],
    ['=?unknown-set?Q?caf=E9?=', 'café'],
    ['=?utf-8?X?abc?=', '=?utf-8?X?abc?='],
    ['a =?utf-8?Q?b?=c', 'a bc'],
    ['=?iso-8859-1?Q?caf\u00e9?=', 'café'],
  ])('%j', (value, expected) => {
    if (value.includes('5pel5p?=')) expect(decodeWords(value)).toMatch(/^日本/);
    else expect(decodeWords(value)).toBe(expected);
  });

  test('hostile words are decoded in little time', () => {
    const start = performance.now();
    decodeWords('=?'.repeat(100_000));
    decodeWords('=?utf-8?Q?a?= '.repeat(20_000));
    expect(performance.now() - start).toBeLessThan(30_000);
  });
});

describe('encoding words', () => {
  test.each([
    'Straße',
    '日本語の件名'.repeat(20),
    '🎉'.repeat(60),
    ' lead',
    'x'.repeat(2_000),
    '=?utf-8?Q?x?=',
    'é',
  ])('%j round-trips in words of at most 75 characters', text => {
    const encoded = encodeWords(text);
    expect(decodeWords(encoded)).toBe(text);
    expect(encoded).toMatch(/^[\x20-\x7e]*$/);
    for (const word of encoded.split(' ')) expect(word.length).toBeLessThanOrEqual(75);
  });

  test('plain text is left unchanged', () =>
    expect(encodeWords('Hello, world (1)')).toBe('Hello, world (1)'));
});

describe('charsets that the platform lacks', () => {
  test.each([
    ['utf-7', 'Hi +AOk- +- +2Dzfiw-', 'Hi é + 🎋'],
    ['cp437', '\x81\x94', 'üö'],
    ['cp850', '\x81\xd5', 'üı'],
    ['mac-cyrillic', '\x8f', 'П'],
    ['hz-gb-2312', '~{VPND~} a~~', '中文 a~'],
    ['iso-2022-kr', '\x1b$)C\x0eGQ19\x0f!', '한국!'],
    ['us-ascii', '\xc3\xa9', 'é'],
    ['', '\xe9', 'é'],
    ['no-such-set', '\xe9', 'é'],
  ])('%s', (charset, bytes, text) => {
    expect(decodeText(bytesOfLatin1(bytes), charset)).toBe(text);
  });
});

describe('structured header values', () => {
  test.each<[string, string, [string, string][]]>([
    [
      'text/plain; charset="utf-8"; format=flowed',
      'text/plain',
      [
        ['charset', 'utf-8'],
        ['format', 'flowed'],
      ],
    ],
    ['TEXT/HTML (comment; charset=x); charset=y', 'text/html', [['charset', 'y']]],
    ['a/b; filename=Invoice(1).pdf', 'a/b', [['filename', 'Invoice(1).pdf']]],
    [
      'a/b; n="x;y=\\"z\\""; flag; boundary=q',
      'a/b',
      [
        ['n', 'x;y="z"'],
        ['flag', ''],
        ['boundary', 'q'],
      ],
    ],
    ['a/b; boundary=1; boundary=2', 'a/b', [['boundary', '1']]],
    ["attachment; filename*=utf-8''%E2%82%AC%20rates.txt", 'attachment', [['filename', '€ rates.txt']]],
    ["a; filename*0*=utf-8''%E2%82; filename*1*=%AC; filename*2=%20", 'a', [['filename', '€%20']]],
    [`a; name*0="Plan "; name*1*=utf-8''%E2%9C%93.pdf`, 'a', [['name', 'Plan ✓.pdf']]],
    ['', '', []],
  ])('%j', (text, value, params) => {
    expect(parseStructured(text)).toEqual({ value, params: new Map(params) });
  });

  test('an unclosed comment is text', () =>
    expect(stripComments('a/b (x; boundary=1')).toBe('a/b (x; boundary=1'));

  test.each([
    'a.txt',
    'two words.pdf',
    'q"uote\\.txt',
    'größe €.pdf',
    '🎉'.repeat(40),
    'x'.repeat(300),
    'a\r\nX: y',
  ])('the parameter %j is read back', name => {
    const written = `attachment; ${formatParameter('filename', name)}`;
    expect(written).toMatch(/^[\x20-\x7e]*$/);
    expect(parseStructured(written).params.get('filename')).toBe(name.replace(/[\r\n]+/, ' '));
  });
});

describe('transfer encodings', () => {
  test.each([
    '',
    'a',
    'x'.repeat(500),
    'trailing \t ',
    'é = ü',
    '.\r\n..',
    'From me\nX-Keyfold-Inert-A: b',
    '日本'.repeat(100),
    `${'a'.repeat(75)}.From me`,
    `F${'a'.repeat(73)}XFx.`,
    `From ${'a'.repeat(72)}${'.'.repeat(80)}`,
    `${'a'.repeat(75)} `,
  ])('quoted-printable round-trips %j', text => {
    const encoded = encodeQuotedPrintable(text);
    for (const line of encoded.split('\r\n')) {
      expect(line.length).toBeLessThanOrEqual(76);
      expect(line).not.toMatch(/^(?:\.|From |X-Keyfold-Inert-)|[ \t]$/);
    }
    expect(decodeText(decodeTransfer(bytesOfLatin1(encoded), 'quoted-printable'), 'utf-8')).toBe(
      text.replace(/\r?\n/g, '\r\n'),
    );
  });

  test('quoted-printable fills every line, including the last', () => {
    const long = 'a'.repeat(75);
    expect(encodeQuotedPrintable(`${long}a`)).toBe(`${long}a`);
    expect(encodeQuotedPrintable(`${long}aa`)).toBe(`${long}=\r\naa`);
    expect(encodeQuotedPrintable(`${long}${long}aa`)).toBe(`${long}=\r\n${long}=\r\naa`);
    expect(encodeQuotedPrintable(`${long}.a`)).toBe(`${long}=\r\n=2Ea`);
    expect(encodeQuotedPrintable(`.${long}`)).toBe(`=2E${'a'.repeat(72)}=\r\naaa`);
    expect(encodeQuotedPrintable(`ü${long}`)).toBe(`=C3=BC${'a'.repeat(69)}=\r\n${'a'.repeat(6)}`);
  });

  test('base64 is wrapped at 76 characters and read back, with padded pieces joined', () => {
    const bytes = new Uint8Array(200).map((_, index) => index);
    const lines = linesOf(bytes).split('\r\n');
    expect(lines.slice(0, -1).every(line => line.length === 76)).toBe(true);
    expect(decodeTransfer(bytesOfLatin1(lines.join('\n')), 'base64')).toEqual(bytes);
    expect(decodeTransfer(bytesOfLatin1('YQ==\nYg==!c3'), 'base64')).toEqual(bytesOfLatin1('abs'));
  });

  test('base64 in lines of any length decodes to the same bytes', () => {
    for (const size of [0, 1, 2, 3, 56, 57, 58, 300])
      for (const length of [0, 4, 60, 76, 400]) {
        const bytes = new Uint8Array(size).map((_, index) => index * 7);
        const lines =
          length === 0 ? [toBase64(bytes)] : (toBase64(bytes).match(new RegExp(`.{1,${length}}`, 'g')) ?? []);
        expect(new TextDecoder().decode(base64Lines(bytes, length, '\n'))).toBe(lines.join('\n'));
      }
    const all = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
    expect(bytesOfLatin1(all)).toEqual(Uint8Array.from({ length: 256 }, (_, code) => code));
  });

  test.each([0, 1, 57, 466_944, 466_945, 1_000_000])(
    'base64 of %i bytes is the same when encoded in pieces',
    size => {
      const bytes = new Uint8Array(size).map((_, index) => index * 31);
      const pieces = encodeBase64Pieces(bytes).map(piece => new TextDecoder().decode(piece));
      expect(pieces.join('')).toBe(linesOf(bytes));
    },
  );
});
