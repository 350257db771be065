// Bounds the cost of small hostile messages: work must grow no faster than their size. The limits
// allow for a busy machine; the attacks they guard against took minutes.
import { expect, test } from 'vitest';
import { parseAddressList } from '../addresses.ts';
import { bytesOfLatin1 } from '../bytes.ts';
import { readCalendars } from '../ics/lines.ts';
import { splitLinks } from '../links-in-text.ts';
import { isHiddenPicture } from '../sanitize/trackers.ts';
import { decodeText } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';
import { readHeaders } from './headers.ts';
import { parseStructured } from './parameters.ts';
import { summarize } from './summary.ts';

const LIMIT_MS = 5_000;

const head = 'From: a@b.example\r\nContent-Type: multipart/related; boundary=b\r\n';

test.each<[string, () => unknown]>([
  ['openings of HZ without an end', () => decodeText(bytesOfLatin1('~{'.repeat(300_000)), 'gb2312')],
  ['the same in a name', () => parseAddressList(`=?gb2312?Q?${'~{'.repeat(200_000)}?= <a@b.example>`)],
  [
    'thousands of words of unknown sets',
    () => readHeaders(bytesOfLatin1(`${'a:=?unknown?q?x?=\r\n'.repeat(50_000)}\r\n`)),
  ],
  ['a size of a hundred thousand digits', () => isHiddenPicture(`${'1'.repeat(100_000)}!`, null, '')],
  ['an opacity as long', () => isHiddenPicture(null, null, `opacity:${'0'.repeat(100_000)}x`)],
  [
    'styles full of blanks',
    () =>
      summarize(
        bytesOfLatin1(
          `${head}\r\n--b\r\nContent-Type: text/html\r\n\r\n${`url(${' '.repeat(4_000)}`.repeat(60)}\r\n--b\r\nContent-Type: image/png\r\nContent-Location: a.png\r\n\r\nx\r\n--b--\r\n`,
        ),
        '2026-01-01T00:00:00.000Z',
      ),
  ],
  [
    'a long base for many parts',
    () =>
      summarize(
        bytesOfLatin1(
          `Content-Base: http://x.example/${'a'.repeat(90_000)}/\r\n${head}\r\n--b\r\nContent-Type: text/html\r\n\r\n<img src=a>\r\n${'--b\r\nContent-Type: image/png\r\nContent-Location: a.png\r\n\r\nx\r\n'.repeat(500)}--b--\r\n`,
        ),
        '2026-01-01T00:00:00.000Z',
      ),
  ],
  ...['a.com,', 'a.com<', 'www.a.com,', 'a@b.com;', 'http://a.b,'].map((link): [string, () => unknown] => [
    `lines full of ${link}`,
    () => splitLinks(`${link.repeat(9_000 / link.length)}\n`.repeat(110)),
  ]),
  [
    'shifts at every character',
    () => decodeText(bytesOfLatin1(`\x1b$)C${'\x0e!!\x0f!!'.repeat(600_000)}`), 'iso-2022-kr'),
  ],
  [
    'designations at every character',
    () => decodeText(bytesOfLatin1('\x1b$B!!\x1b(Ba'.repeat(400_000)), 'iso-2022-jp'),
  ],
  [
    'single shifts without an end',
    () => decodeText(bytesOfLatin1(`\x1b.A${'\x1bNa'.repeat(700_000)}`), 'iso-2022-jp-2'),
  ],
  [
    'stray bytes among UTF-8',
    () => decodeText(bytesOfLatin1(`${'\xc3\xa9'.repeat(5)}\xe9`.repeat(900_000)), 'utf-8'),
  ],
  [
    'names of zones full of colons',
    () => {
      const line = `DTSTART;TZID=${'a:'.repeat(480)}\n`;
      return readCalendars(bytesOfLatin1(`BEGIN:VCALENDAR\nBEGIN:VEVENT\n${line.repeat(900)}`));
    },
  ],
  [
    'parameters in thousands of sections',
    () =>
      parseStructured(
        ['n', 'm', 'o', 'p']
          .flatMap(name =>
            Array.from({ length: 20_000 }, (_, at) => `;${name}*${at % 10_000}${at < 10_000 ? '' : '*'}=%41`),
          )
          .join(''),
      ),
  ],
])('reads %s in linear time', { timeout: 30_000 }, async (_, work) => {
  const startedAt = performance.now();
  await work();
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('links beyond the limit stay text, and no text is lost', () => {
  const text = 'see a.com and b@c.org\n'.repeat(9_000);
  const parts = splitLinks(text);
  expect(parts.filter(({ href }) => href !== undefined)).toHaveLength(10_000);
  expect(parts.map(part => part.text).join('')).toBe(text);
});

test('decodes an encoded word of realistic length and leaves one of 100 KB unchanged', () => {
  expect(decodeWords(`=?utf-8?q?${'=C3=A9'.repeat(2_000)}?=`)).toBe('é'.repeat(2_000));
  const long = `=?utf-8?q?${'=C3=A9'.repeat(20_000)}?=`;
  expect(decodeWords(`${long} =?utf-8?q?=C3=A9?=`)).toBe(`${long} é`);
});

test('decodes text that switches charsets within a line', () => {
  const read = (text: string) => decodeText(bytesOfLatin1(text), 'iso-2022-jp-2');
  expect(read('a\x1b$B$"\x1b(I1\x1b(Bb\x1b$BF|\x1b$(C0!\x1b(Bc')).toBe('aあｱb日가c');
  expect(read('x\x1b.A\x1bNiy\x1b.F\x1bNaz')).toBe('xéyαz');
  expect(decodeText(bytesOfLatin1('\x1b$)C\x0e0!\x0f 1 \x0e3*\x0f\n2'), 'iso-2022-kr')).toBe('가 1 나\n2');
});

test('decodes stray bytes of another charset among UTF-8 one by one', () => {
  const text = 'Grüße aus Köln und Zürich'.repeat(4);
  const bytes = bytesOfLatin1(`${Buffer.from(text).toString('latin1')}\xfc\x80\xe9.`);
  expect(decodeText(bytes, 'utf-8')).toBe(`${text}ü€é.`);
});

test('decodes HZ that is labeled as the charset it wraps', () => {
  expect(decodeText(bytesOfLatin1('Hello ~{VPND~} there'), 'gb2312')).toBe('Hello 中文 there');
  expect(decodeText(bytesOfLatin1('a ~{ b ~} c'), 'gb2312')).toBe('a ~{ b ~} c');
});
