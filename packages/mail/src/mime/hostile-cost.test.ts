// What a small hostile message may cost: work grows with its size and no faster. The limits are those of a busy machine; what
// they guard against took minutes.
import { expect, test } from 'vitest';
import { parseAddressList } from '../addresses.ts';
import { bytesOfLatin1 } from '../bytes.ts';
import { isHiddenPicture } from '../sanitize/trackers.ts';
import { decodeText } from './charsets.ts';
import { readHeaders } from './headers.ts';
import { summarise } from './summary.ts';

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
      summarise(
        bytesOfLatin1(
          `${head}\r\n--b\r\nContent-Type: text/html\r\n\r\n${`url(${' '.repeat(4_000)}`.repeat(60)}\r\n--b\r\nContent-Type: image/png\r\nContent-Location: a.png\r\n\r\nx\r\n--b--\r\n`,
        ),
        '2026-01-01T00:00:00.000Z',
      ),
  ],
  [
    'a long base for many parts',
    () =>
      summarise(
        bytesOfLatin1(
          `Content-Base: http://x.example/${'a'.repeat(90_000)}/\r\n${head}\r\n--b\r\nContent-Type: text/html\r\n\r\n<img src=a>\r\n${'--b\r\nContent-Type: image/png\r\nContent-Location: a.png\r\n\r\nx\r\n'.repeat(500)}--b--\r\n`,
        ),
        '2026-01-01T00:00:00.000Z',
      ),
  ],
])('%s cost no more than their length', async (_, work) => {
  const startedAt = performance.now();
  await work();
  expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
});

test('HZ under the name of what it wraps is still read', () => {
  expect(decodeText(bytesOfLatin1('Hello ~{VPND~} there'), 'gb2312')).toBe('Hello 中文 there');
  expect(decodeText(bytesOfLatin1('a ~{ b ~} c'), 'gb2312')).toBe('a ~{ b ~} c');
});
