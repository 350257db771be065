// Message sources show readable characters, regardless of each part's character set.
import { expect, test } from 'vitest';
import { concatBytes } from '../bytes.ts';
import { sourceText } from './source-text.ts';

const latin = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const cyrillic = (text: string) =>
  Uint8Array.from(text, char => {
    const code = char.charCodeAt(0);
    return code < 0x80 ? code : code - 0x0350;
  });

test.each([
  ['UTF-8', utf8('Subject: Grüße 😀\r\n\r\nSchöne Grüße\r\n'), 'Subject: Grüße 😀\r\n\r\nSchöne Grüße\r\n'],
  [
    'a western set that is named',
    latin('Subject: Gr\xfc\xdfe\r\nContent-Type: text/plain; charset="iso-8859-1"\r\n\r\nSch\xf6n\r\n'),
    'Subject: Grüße\r\nContent-Type: text/plain; charset="iso-8859-1"\r\n\r\nSchön\r\n',
  ],
  [
    'one that nobody names',
    latin('Subject: Gr\xfc\xdfe aus M\xfcnchen\r\n\r\nSch\xf6ne Gr\xfc\xdfe aus M\xfcnchen\r\n'),
    'Subject: Grüße aus München\r\n\r\nSchöne Grüße aus München\r\n',
  ],
  [
    'Cyrillic that is named',
    cyrillic('Content-Type: text/plain; charset=windows-1251\r\n\r\nПривет\r\n'),
    'Content-Type: text/plain; charset=windows-1251\r\n\r\nПривет\r\n',
  ],
  [
    'UTF-7, which stays as it stands',
    latin('Content-Type: text/plain; charset=utf-7\r\n\r\nA+APw-B\r\n'),
    null,
  ],
  ['base64', latin('Content-Transfer-Encoding: base64\r\n\r\n+ADs/w+==\r\n'), null],
  ['nothing', new Uint8Array(), ''],
])('%s', (_, bytes, text) => {
  expect(sourceText(bytes)).toBe(text ?? new TextDecoder().decode(bytes));
});

test('each part uses its own charset, and the header that of the first part', () => {
  const head = 'Subject: Gr\xfc\xdfe\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n';
  const bytes = concatBytes([
    latin(`${head}Content-Type: text/plain; charset=iso-8859-15\r\n\r\n5 \xa4\r\n--b\r\n`),
    utf8('Content-Type: text/plain; charset=utf-8\r\n\r\nGrößer 😀 — “so”\r\n--b\r\n'),
    cyrillic('Content-Type: text/plain; charset=windows-1251\r\n\r\nПривет\r\n--b\r\n'),
    latin('Content-Type: text/plain; charset=utf-7\r\n\r\nA+APw-B\r\n--b--\r\n'),
  ]);
  const text = sourceText(bytes);
  for (const piece of ['Subject: Grüße', '5 €', 'Größer 😀 — “so”', 'Привет', 'A+APw-B'])
    expect(text).toContain(piece);
  expect(text).not.toContain('\ufffd');
});

test('hundreds of thousands of boundary lines still give text', () => {
  const all = Uint8Array.from({ length: 2_000_000 }, (_, at) => [0x0a, 0x2d, 0x2d, 0xfc][at % 4] ?? 0);
  expect(sourceText(all).length).toBeGreaterThan(1_000_000);
});
