// Maps a charset label to the name of the charset used for decoding. Labels are written by senders
// and may have any prefix, quotation mark or Windows number. Unknowable ones, such as `x-unknown`,
// have no name.

import { createDecoder } from './platform.ts';
import { UPPER_HALVES } from './tables.ts';

/** Charsets that escapes.ts and the decoder handle themselves; none of them is single-byte. */
const OWN = new Set(['utf-7', 'hz-gb-2312', 'iso-2022', 'utf-16', 'utf-32', 'utf-32le', 'utf-32be']);

/** Aliases by normalized label: without `-`, `_`, blanks and a leading `x-`. */
const ALIASES: Readonly<Record<string, string>> = {
  unicode: 'utf-16',
  ucs2: 'utf-16',
  ucs4: 'utf-32',
  iso10646ucs2: 'utf-16',
  iso10646ucs4: 'utf-32',
  utf16: 'utf-16',
  utf32: 'utf-32',
  utf8mb4: 'utf-8',
  utf8sig: 'utf-8',
  utf8bom: 'utf-8',
  utf8n: 'utf-8',
  utf7: 'utf-7',
  utf7imap: 'utf-7',
  unicode11utf7: 'utf-7',
  csunicode11utf7: 'utf-7',
  hz: 'hz-gb-2312',
  hzgb2312: 'hz-gb-2312',
  big5hkscs: 'big5',
  big5eten: 'big5',
  big5hkscs2001: 'big5',
  big52003: 'big5',
  shiftjis: 'shift_jis',
  sjis: 'shift_jis',
  shiftjisx0213: 'shift_jis',
  shiftjis2004: 'shift_jis',
  macjapanese: 'shift_jis',
  eucjp: 'euc-jp',
  eucjpms: 'euc-jp',
  eucjpwin: 'euc-jp',
  eucjisx0213: 'euc-jp',
  eucjis2004: 'euc-jp',
  ujis: 'euc-jp',
  euckr: 'euc-kr',
  uhc: 'euc-kr',
  ksc5601: 'euc-kr',
  ksx1001: 'euc-kr',
  ksc56011987: 'euc-kr',
  ksc56011992: 'euc-kr',
  mackorean: 'euc-kr',
  euccn: 'gbk',
  gb2312: 'gbk',
  gb231280: 'gbk',
  macchinesesimp: 'gbk',
  macsimpchinese: 'gbk',
  macchinesetrad: 'big5',
  mactradchinese: 'big5',
  gb180302000: 'gb18030',
  gb180302005: 'gb18030',
  mac: 'macintosh',
  macroman: 'macintosh',
  csmacintosh: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  macukrainian: 'x-mac-cyrillic',
  macuk: 'x-mac-cyrillic',
  macce: 'mac-centraleurope',
  maclatin2: 'mac-centraleurope',
  maccentraleurope: 'mac-centraleurope',
  maccentraleurroman: 'mac-centraleurope',
  maccentraleuropean: 'mac-centraleurope',
  maccroatian: 'mac-croatian',
  macgreek: 'mac-greek',
  maciceland: 'mac-icelandic',
  macicelandic: 'mac-icelandic',
  macis: 'mac-icelandic',
  macromania: 'mac-romanian',
  macromanian: 'mac-romanian',
  macrumanian: 'mac-romanian',
  macturkish: 'mac-turkish',
  macarabic: 'mac-arabic',
  macfarsi: 'mac-farsi',
  machebrew: 'mac-hebrew',
  macthai: 'mac-thai',
  macsami: 'mac-sami',
  tis620: 'windows-874',
  tis6202533: 'windows-874',
  koi8: 'koi8-r',
  koi8f: 'koi8-r',
  koi8u: 'koi8-u',
  koi8t: 'koi8-t',
  koi8e: 'iso-ir-111',
  ecmacyrillic: 'iso-ir-111',
  isoir111: 'iso-ir-111',
  kz1048: 'kz-1048',
  strk10482002: 'kz-1048',
  rk1048: 'kz-1048',
  pt154: 'ptcp154',
  cp154: 'ptcp154',
  ptcp154: 'ptcp154',
  cyrillicasian: 'ptcp154',
  armscii8: 'armscii-8',
  georgianps: 'georgian-ps',
  georgianacademy: 'georgian-academy',
  viscii: 'viscii',
  csviscii: 'viscii',
  tcvn: 'tcvn',
  tcvn3: 'tcvn',
  tcvn57121: 'tcvn',
  roman8: 'hp-roman8',
  hproman8: 'hp-roman8',
  nextstep: 'nextstep',
};

/** Windows and DOS code pages that are not `windows-NNN` or `ibmNNN`. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  367: '',
  819: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  912: 'iso-8859-2',
  915: 'iso-8859-5',
  932: 'shift_jis',
  936: 'gbk',
  943: 'shift_jis',
  949: 'euc-kr',
  950: 'big5',
  951: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  10000: 'macintosh',
  10001: 'shift_jis',
  10002: 'big5',
  10003: 'euc-kr',
  10004: 'mac-arabic',
  10005: 'mac-hebrew',
  10006: 'mac-greek',
  10007: 'x-mac-cyrillic',
  10008: 'gbk',
  10010: 'mac-romanian',
  10017: 'x-mac-cyrillic',
  10021: 'mac-thai',
  10029: 'mac-centraleurope',
  10079: 'mac-icelandic',
  10081: 'mac-turkish',
  10082: 'mac-croatian',
  12000: 'utf-32le',
  12001: 'utf-32be',
  20127: '',
  20866: 'koi8-r',
  20932: 'euc-jp',
  20936: 'gbk',
  20949: 'euc-kr',
  21866: 'koi8-u',
  38598: 'iso-8859-8-i',
  50220: 'iso-2022',
  50221: 'iso-2022',
  50222: 'iso-2022',
  50225: 'iso-2022',
  50227: 'iso-2022',
  51932: 'euc-jp',
  51936: 'gbk',
  51949: 'euc-kr',
  52936: 'hz-gb-2312',
  54936: 'gb18030',
  65000: 'utf-7',
  65001: 'utf-8',
};

/** Labels that say nothing about bytes above 0x7f. */
const SILENT =
  /^(?:(?:us)?ascii(?:7|8)?|usascii|ansix341968|ansix341986|iso646us|unknown\w*|undefined|default|none|null|binary|\w?bit|8bit|7bit|auto\w*|charset|user ?defined|userdefined|iso8859|any|other|replacement)$/;

/**
 * Returns the charset of a Windows code page; null for one that is not in use or has no letters
 * beyond ASCII.
 */
export function findCodePageName(codePage: number): string | null {
  if (codePage >= 1250 && codePage <= 1258) return `windows-${codePage}`;
  const iso = codePage - 28590;
  if (iso >= 1 && iso <= 16 && iso !== 12) return toPlatform(`iso-8859-${iso}`);
  const named = CODE_PAGES[codePage];
  if (named !== undefined) return named || null;
  return Object.hasOwn(UPPER_HALVES, `ibm${codePage}`) ? `ibm${codePage}` : null;
}

/** Returns the platform's name of a charset, or null. */
function toPlatform(label: string): string | null {
  try {
    return createDecoder(label).encoding;
  } catch {
    return null;
  }
}

// The cap keeps invented labels from filling memory.
const known = new Map<string, string | null>();
const KNOWN_MAX = 200;

/** Returns the charset that a label names; null when the label says nothing or is unknown. */
export function findCharset(label: string | null | undefined): string | null {
  if (!label) return null;
  const found = known.get(label);
  if (found !== undefined) return found;
  const name = label.length > 60 ? null : nameOf(label);
  if (known.size < KNOWN_MAX) known.set(label, name);
  return name;
}

function nameOf(label: string): string | null {
  const plain = label
    .trim()
    .toLowerCase()
    .replace(/^(?:charset\s*=\s*)?["'\s]+|^charset\s*=\s*/g, '')
    // RFC 2231 §5: a language may follow the name; so may other parameters when a quotation mark is
    // missing.
    .replace(/["'*;,\s].*$/s, '');
  const bare = plain.replace(/[-_. ()]+/g, '').replace(/^x(?=\D)/, '');
  if (!bare || SILENT.test(bare)) return null;
  if (/^(?:cs)?iso2022(?:jp|kr|cn)/.test(bare)) return 'iso-2022';
  const alias = Object.hasOwn(ALIASES, bare) ? ALIASES[bare] : undefined;
  if (alias) return alias;
  const number =
    /^(?:cp|ibm|cpibm|csibm|csibmcp|cspc|ccsid|dos|oem|codepage|windows|cswindows|win|ms|mscp|microsoftcp)0*(\d{2,5})$/.exec(
      bare,
    )?.[1];
  if (number) {
    const page = findCodePageName(Number(number));
    if (page) return page;
  }
  const iso = /^(?:iso)?8859(1[0-6]|[1-9])(?:[ie]|19\d\d)?$/.exec(bare)?.[1];
  if (iso && bare !== 'iso88598i') return toPlatform(`iso-8859-${iso}`);
  const platform = toPlatform(plain) ?? toPlatform(bare) ?? toPlatform(`x-${plain}`);
  return platform === 'x-user-defined' ? null : platform;
}

/** Reports whether each byte of the charset is a character. */
export const isSingleByte = (charset: string): boolean =>
  Object.hasOwn(UPPER_HALVES, charset) ||
  !(OWN.has(charset) || /^(?:utf-|gb|big5|euc-|shift_jis|iso-2022)/.test(charset));
