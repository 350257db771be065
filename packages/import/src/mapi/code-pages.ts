// Windows' numbers of character sets, as names that the mail room's decoder knows.

import { decodeText } from '@keyfold/mail/mime/charsets';

const NAMES: Readonly<Record<number, string>> = {
  437: 'ibm437',
  850: 'ibm850',
  852: 'ibm852',
  855: 'ibm855',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20127: 'us-ascii',
  20866: 'koi8-r',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  50225: 'iso-2022-kr',
  51932: 'euc-jp',
  51936: 'gbk',
  51949: 'euc-kr',
  52936: 'hz-gb-2312',
  54936: 'gb18030',
  65000: 'utf-7',
  65001: 'utf-8',
};

/** The name of a code page, or null for one that nobody uses in mail. */
export function findCodePageName(codePage: number | null): string | null {
  if (codePage === null) return null;
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  if (codePage >= 28591 && codePage <= 28606) return `iso-8859-${codePage - 28590}`;
  return NAMES[codePage] ?? null;
}

/** Text of bytes under a code page; Western Europe's where there is none. Never fails. */
export const decodeCodePage = (bytes: Uint8Array, codePage: number | null): string =>
  decodeText(bytes, findCodePageName(codePage) ?? 'windows-1252');
