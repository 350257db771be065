// Text out of bytes for the character sets of real mail: what the platform decodes, and the few old sets it does
// not (DOS code pages, UTF-7, ISO-2022-KR, HZ). Anything unknown falls back to windows-1252, so no text is ever
// refused (reliability.md 3). Encoding is not done here: everything this product writes is UTF-8.

import { decodeBase64Leniently } from '../bytes.ts';

// Upper halves (0x80-0xff) of single-byte sets that TextDecoder lacks.
const UPPER_HALVES: Record<string, string> = {
  ibm437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ' +
    'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
    'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ' +
    'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀' +
    'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č' +
    'áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐' +
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀' +
    'ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ibm855:
    'ђЂѓЃёЁєЄѕЅіІїЇјЈљЉњЊћЋќЌўЎџЏюЮъЪ' +
    'аАбБцЦдДеЕфФгГ«»░▒▓│┤хХиИ╣║╗╝йЙ┐' +
    '└┴┬├─┼кК╚╔╩╦╠═╬¤лЛмМнНоОп┘┌█▄Пя▀' +
    'ЯрРсСтТуУжЖвВьЬ№\u00adыЫзЗшШэЭщЩчЧ§■\u00a0',
};

const ALIASES: Record<string, string> = {
  'mac-cyrillic': 'x-mac-cyrillic',
  maccyrillic: 'x-mac-cyrillic',
  'mac-ukrainian': 'x-mac-cyrillic',
  'mac-roman': 'macintosh',
  macroman: 'macintosh',
  utf7: 'utf-7',
  'unicode-1-1-utf-7': 'utf-7',
  cp437: 'ibm437',
  cp850: 'ibm850',
  cp858: 'ibm850',
  ibm858: 'ibm850',
  cp852: 'ibm852',
  cp855: 'ibm855',
  cp932: 'shift_jis',
  'windows-932': 'shift_jis',
  ms932: 'shift_jis',
  cp936: 'gbk',
  'windows-936': 'gbk',
  cp949: 'euc-kr',
  uhc: 'euc-kr',
  ms949: 'euc-kr',
  cp950: 'big5',
  'x-big5': 'big5',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  eucjp: 'euc-jp',
  'eucjp-ms': 'euc-jp',
  euckr: 'euc-kr',
  tis620: 'windows-874',
  'iso-8859-8i': 'iso-8859-8-i',
  'hz-gb2312': 'hz-gb-2312',
  hz: 'hz-gb-2312',
  csiso2022kr: 'iso-2022-kr',
};

const OWN = new Set(['utf-7', 'iso-2022-kr', 'hz-gb-2312', ...Object.keys(UPPER_HALVES)]);

// One decoder per label that a message really names; the cap keeps invented labels from filling memory.
const decoders = new Map<string, TextDecoder | null>();
const DECODER_CACHE_MAX = 200;

function canonicalCharset(label: string): string {
  const plain = label
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '')
    // RFC 2231 §5: a language may follow the name.
    .split('*', 1)
    .join();
  return ALIASES[plain] ?? (Object.hasOwn(ALIASES, `x-${plain}`) ? (ALIASES[`x-${plain}`] ?? plain) : plain);
}

function findDecoder(charset: string): TextDecoder | null {
  const known = decoders.get(charset);
  if (known !== undefined) return known;
  let decoder: TextDecoder | null = null;
  try {
    decoder = new TextDecoder(charset);
  } catch {
    decoder = null;
  }
  if (decoders.size < DECODER_CACHE_MAX) decoders.set(charset, decoder);
  return decoder;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const windows1252 = new TextDecoder('windows-1252');

/** Text of bytes that say nothing of their character set: UTF-8 if they are, else windows-1252. */
export function decodeUnlabelled(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return windows1252.decode(bytes);
  }
}

/** Text of bytes in the named character set. Never fails: unknown names are treated as {@link decodeUnlabelled}. */
export function decodeText(bytes: Uint8Array, label?: string | null): string {
  const charset = canonicalCharset(label ?? '');
  // Senders that write 8-bit bytes under "us-ascii" mean UTF-8 more often than anything else.
  if (!charset || charset === 'us-ascii' || charset === 'ascii') return decodeUnlabelled(bytes);
  const upper = UPPER_HALVES[charset];
  if (upper !== undefined) return decodeSingleByte(bytes, upper);
  if (charset === 'utf-7' && bytes.length <= UTF7_MAX_BYTES) return decodeUtf7(bytes);
  if (charset === 'iso-2022-kr') return decodeIso2022Kr(bytes);
  if (charset === 'hz-gb-2312') return decodeHz(bytes);
  const decoder = findDecoder(charset);
  return decoder ? decoder.decode(bytes) : decodeUnlabelled(bytes);
}

/** Whether {@link decodeText} reads this label through a table or rule of its own, or by another name. */
export function isUnusualCharset(label: string): boolean {
  const charset = canonicalCharset(label);
  if (OWN.has(charset) || charset !== label.trim().toLowerCase()) return true;
  return findDecoder(charset) === null;
}

function decodeSingleByte(bytes: Uint8Array, upper: string): string {
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : upper.charAt(byte - 0x80);
  return text;
}

// Longer text in this encoding is nobody's letter, and reading it costs seconds.
const UTF7_MAX_BYTES = 2_097_152;

// RFC 2152: '+' opens a run of base64 holding UTF-16BE, '-' or any other character ends it, '+-' is a plus sign.
function decodeUtf7(bytes: Uint8Array): string {
  let source = '';
  for (const byte of bytes) source += String.fromCharCode(byte);
  return source.replace(/\+([A-Za-z0-9+/]*)-?/g, (_, run: string) => {
    if (!run) return '+';
    const units = decodeBase64Leniently(run);
    let text = '';
    for (let index = 0; index + 1 < units.length; index += 2) {
      text += String.fromCharCode(((units[index] ?? 0) << 8) | (units[index + 1] ?? 0));
    }
    return text;
  });
}

// Both formats below are 7-bit wrappings of a two-byte set; setting the high bit gives the 8-bit form of it.
function decodeIso2022Kr(bytes: Uint8Array): string {
  const plain: number[] = [];
  let shifted = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === 0x1b && bytes[index + 1] === 0x24 && bytes[index + 2] === 0x29) index += 3;
    else if (byte === 0x0e) shifted = true;
    else if (byte === 0x0f) shifted = false;
    else plain.push(shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte);
  }
  return decodeText(new Uint8Array(plain), 'euc-kr');
}

function decodeHz(bytes: Uint8Array): string {
  const plain: number[] = [];
  let shifted = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const next = bytes[index + 1];
    if (byte === 0x7e && next === 0x7b) {
      shifted = true;
      index++;
    } else if (byte === 0x7e && next === 0x7d) {
      shifted = false;
      index++;
    } else if (byte === 0x7e && next === 0x7e && !shifted) {
      plain.push(0x7e);
      index++;
    } else plain.push(shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte);
  }
  return decodeText(new Uint8Array(plain), 'gbk');
}
