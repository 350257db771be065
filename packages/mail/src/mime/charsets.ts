// Decodes bytes to text: the only decoder for headers, names, bodies, summaries and imports, with
// identical results on the server and in the browser. Order: byte order mark, UTF-8 that is not
// accidental, the named sets (of the part, the page, the message), and if none of them fits,
// detection from the bytes (charsets/detect.ts). No text is ever rejected
// (docs/reliability.md#hostile-input). Does not encode: Keyfold writes only UTF-8.

import { utf8 as toUtf8 } from '../bytes.ts';
import { rankCharsets } from '../charsets/detect.ts';
import { decodeHz, decodeIso2022, decodeUtf7, hasDesignations } from '../charsets/escapes.ts';
import { findCharset, isSingleByte } from '../charsets/names.ts';
import { createDecoder, type Decoder } from '../charsets/platform.ts';
import { UPPER_HALVES } from '../charsets/tables.ts';
import { decodeUtf16, decodeUtf32, findUtf16 } from '../charsets/wide.ts';

const decoders = new Map<string, { strict: Decoder; lenient: Decoder }>();

function decodersOf(charset: string): { strict: Decoder; lenient: Decoder } {
  let found = decoders.get(charset);
  if (!found) {
    found = { strict: createDecoder(charset, true), lenient: createDecoder(charset) };
    decoders.set(charset, found);
  }
  return found;
}

// The platform's decoder: all platforms read UTF-8 alike, and it is the fastest.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const windows1252 = createDecoder('windows-1252');
/** Bytes from 0x80 on, read as windows-1252 and encoded in UTF-8. */
const STRAYS = Array.from({ length: 128 }, (_, byte) =>
  toUtf8(windows1252.decode(Uint8Array.of(byte | 0x80))),
);

/** Decodes bytes without a declared character set. */
export function decodeUnlabeled(bytes: Uint8Array): string {
  return decodeText(bytes);
}

/**
 * Decodes bytes. `labels` name the character set as the sender wrote it, most trusted first; null
 * if absent. A label counts only if the bytes are valid text in that set. Never fails.
 */
export function decodeText(bytes: Uint8Array, ...labels: (string | null | undefined)[]): string {
  const marked = decodeMarked(bytes);
  if (marked !== null) return marked;
  const names: string[] = [];
  for (const label of labels) {
    const name = findCharset(label);
    if (name !== null) names.push(name);
  }
  const utf8 = decodeStrictly(bytes);
  if (utf8 !== null && utf8.length === bytes.length) return decodePlain(bytes, utf8, names[0]);
  if (utf8 !== null && isMeant(utf8, bytes, names[0])) return utf8;
  for (const name of names) {
    const text = findCleanText(bytes, name);
    if (text !== null) return text;
  }
  return utf8 ?? findMixedText(bytes) ?? findDamagedText(bytes, names[0]) ?? guessText(bytes);
}

/**
 * Reports whether the bytes are ASCII, or UTF-8 under that name, without a byte order mark or
 * another alphabet inside: any reader decodes them correctly.
 */
export function isPlainUtf8(bytes: Uint8Array, label: string | null | undefined): boolean {
  const text = findCleanUtf8(bytes);
  if (text === null || text.startsWith('\ufeff') || text.includes('\u0000')) return false;
  const name = findCharset(label);
  const isAscii = text.length === bytes.length;
  if (isAscii) return name === null || !/^(?:utf-(?!8)|hz-|gbk$|iso-2022)/.test(name);
  return name === 'utf-8';
}

/**
 * Returns the text of bytes that are UTF-8 and switch to no other alphabet, including a leading
 * byte order mark; null for others.
 */
export function findCleanUtf8(bytes: Uint8Array): string | null {
  const text = decodeStrictly(bytes);
  return text === null || (text.includes('\u001b') && hasDesignations(bytes)) ? null : text;
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Decodes bytes by their byte order mark; null when there is none, or when it cannot be one. */
function decodeMarked(bytes: Uint8Array): string | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return decodeStrictly(bytes.subarray(3)) ?? decodeText(bytes.subarray(3), 'utf-8');
  const isLittle = first === 0xff && second === 0xfe;
  if (!isLittle && !(first === 0xfe && second === 0xff)) return null;
  const isWide = isLittle && third === 0 && fourth === 0 && bytes.length % 4 === 0;
  const text = isWide ? decodeUtf32(bytes.subarray(4), true) : decodeUtf16(bytes.subarray(2), isLittle);
  return text.includes('\ufffd') ? null : text;
}

const ESCAPE = 0x1b;

/** Decodes bytes that are all below 0x80: as ASCII, unless they wrap another alphabet. */
function decodePlain(bytes: Uint8Array, ascii: string, name: string | undefined): string {
  if (bytes.indexOf(ESCAPE) >= 0 && hasDesignations(bytes)) {
    const text = decodeIso2022(bytes);
    if (!isDamaged(text)) return text;
  }
  if (bytes.indexOf(0) >= 0) {
    const wide = findWideText(bytes, name);
    if (wide !== null && !wide.includes('\ufffd')) return wide;
  }
  if (name === 'utf-7') return decodeUtf7(bytes);
  // Some programs label HZ with the name of the set it wraps instead of its own.
  if (name === 'hz-gb-2312' || (name === 'gbk' && holdsHz(ascii))) return decodeHz(bytes);
  if (name === 'iso-2022' && ascii.includes('\u000e')) return decodeIso2022(bytes);
  return ascii;
}

/**
 * Reports whether a run without blanks switches to the other alphabet and back; examines each
 * character once.
 */
const holdsHz = (ascii: string): boolean =>
  ascii.split(/[^!-~]+/).some(run => {
    const start = run.indexOf('~{');
    return start >= 0 && run.lastIndexOf('~}') >= start + 4;
  });

function findWideText(bytes: Uint8Array, name: string | undefined): string | null {
  if (name?.startsWith('utf-32') && bytes.length % 4 === 0)
    return decodeUtf32(bytes, name === 'utf-32le' || (name === 'utf-32' && bytes[0] !== 0));
  const order = findUtf16(bytes);
  return order === null ? null : decodeUtf16(bytes, order === 'le');
}

const LATIN = /^(?:windows-125[02478]|iso-8859-(?:[1-4]|9|1[03-6])|macintosh)$/;

/**
 * Reports whether bytes that are valid UTF-8 are meant as such although another set is named. Two
 * or three characters can be chance.
 */
function isMeant(utf8: string, bytes: Uint8Array, name: string | undefined): boolean {
  if (name === undefined || name === 'utf-8' || LATIN.test(name)) return true;
  if (name.startsWith('utf-16')) return findUtf16(bytes) === null;
  const beyond = utf8.match(/[\u0080-\uffff]/g) ?? [];
  if (isSingleByte(name)) return beyond.length > 1 || /[\u0800-\uffff]/.test(utf8);
  return (
    beyond.length > 4 ||
    (beyond.length > 1 && /[\u2010-\u2fff\u3000-\u9fff\uac00-\ud7ff\ud800-\udfff]/.test(utf8))
  );
}

const LEFT_OVER = /[\u0080-\u0084\u0086-\u009f\ufffd]/;

/** Returns the text in that set, or null when the bytes are not valid in it. */
function findCleanText(bytes: Uint8Array, name: string): string | null {
  let text: string;
  if (name === 'utf-8') return null;
  if (name === 'utf-16' || name === 'utf-16le' || name === 'utf-16be') {
    const order = findUtf16(bytes) ?? (name === 'utf-16be' ? 'be' : 'le');
    text = decodeUtf16(bytes, order === 'le');
  } else if (name.startsWith('utf-32')) text = findWideText(bytes, name) ?? '\ufffd';
  else if (name === 'utf-7') return null;
  else if (name === 'hz-gb-2312') text = decodeHz(bytes);
  else if (name === 'iso-2022') {
    if (!hasDesignations(bytes)) return null;
    text = decodeIso2022(bytes);
  } else {
    const upper = UPPER_HALVES[name];
    if (upper !== undefined) text = decodeSingleByte(bytes, upper);
    else {
      try {
        text = decodersOf(name).strict.decode(bytes);
      } catch {
        return null;
      }
    }
  }
  return LEFT_OVER.test(text) ? null : text;
}

function decodeSingleByte(bytes: Uint8Array, upper: string): string {
  let text = '';
  for (const byte of bytes) text += byte < 0x80 ? String.fromCharCode(byte) : upper.charAt(byte - 0x80);
  return text;
}

/**
 * Returns the length of the UTF-8 character at `at`; 0 when there is none, -1 when the bytes end
 * inside it.
 */
function sizeOfUtf8(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const size =
    first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0;
  for (let more = 1; more < size; more++) {
    const byte = bytes[at + more];
    if (byte === undefined) return -1;
    if (byte < 0x80 || byte > 0xbf) return 0;
    const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (more === 1 && (byte < low || byte > high)) return 0;
  }
  return size;
}

/**
 * Decodes UTF-8 mixed with a few bytes of another set, such as a footer added in transit; null for
 * other bytes.
 */
function findMixedText(bytes: Uint8Array): string | null {
  const strays: number[] = [];
  let characters = 0;
  let end = bytes.length;
  for (let at = 0; at < bytes.length; ) {
    const size = sizeOfUtf8(bytes, at);
    if (size < 0) {
      // The last character is truncated, and the rest of it is unreadable.
      end = at;
      break;
    }
    if (size === 0) strays.push(at);
    if (size > 1) characters++;
    if (strays.length > 64 && strays.length > characters) return null;
    at += size || 1;
  }
  if (characters === 0 || (characters < 4 * strays.length && !isWestern(bytes))) return null;
  // Build one text to decode: a decoder for each stray byte would cost much more.
  const mended = new Uint8Array(end + 2 * strays.length);
  let length = 0;
  let next = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (at !== strays[next]) mended[length++] = byte;
    else {
      next++;
      for (const unit of STRAYS[byte & 0x7f] ?? []) mended[length++] = unit;
    }
  }
  return lenientUtf8.decode(mended.subarray(0, length));
}

const isWestern = (bytes: Uint8Array): boolean => mayGuess() && rankCharsets(bytes)[0] === 'windows-1252';

/** A named set is abandoned when more than one in this many characters is damaged. */
const DAMAGE_SHARE = 40;

/**
 * Decodes text in a named multi-byte set that is damaged in a place or two, or truncated in its
 * last character.
 */
function findDamagedText(bytes: Uint8Array, name: string | undefined): string | null {
  if (name === undefined || name === 'utf-8' || name === 'utf-7' || isSingleByte(name)) return null;
  if (!/^(?:gb|big5|euc-|shift_jis)/.test(name)) return null;
  const whole = findCleanText(bytes.subarray(0, -1), name);
  if (whole !== null && (bytes.at(-1) ?? 0) >= 0x80) return whole;
  const text = decodersOf(name).lenient.decode(bytes);
  return isDamaged(text) ? null : text;
}

/** Reports whether more of the text is lost than a transmission fault explains. */
function isDamaged(text: string): boolean {
  const damaged = text.match(/\ufffd/g)?.length ?? 0;
  return damaged > 0 && damaged * DAMAGE_SHARE > (text.match(/[\u0080-\uffff]/g)?.length ?? 0);
}

const GUESSES_MAX = 100;
let guessesLeft: number | null = null;

/**
 * Runs work on one message or file, or a slice of it, with a limit on the number of texts whose set
 * is guessed: a guess takes up to several milliseconds, and a message can consist of thousands of
 * damaged parts. Texts beyond the limit are read as windows-1252.
 */
export function boundGuesses<Result>(
  work: () => Result,
  guesses: { left: number } = { left: GUESSES_MAX },
): Result {
  if (guessesLeft !== null) return work();
  guessesLeft = guesses.left;
  try {
    return work();
  } finally {
    guesses.left = Math.max(0, guessesLeft);
    guessesLeft = null;
  }
}

function mayGuess(): boolean {
  if (guessesLeft === null) return true;
  guessesLeft--;
  return guessesLeft >= 0;
}

function guessText(bytes: Uint8Array): string {
  if (hasDesignations(bytes)) {
    const text = decodeIso2022(bytes);
    if (!LEFT_OVER.test(text)) return text;
  }
  const order = findUtf16(bytes);
  if (order !== null) return decodeUtf16(bytes, order === 'le');
  for (const charset of mayGuess() ? rankCharsets(bytes) : []) {
    const text = findCleanText(bytes, charset);
    if (text !== null) return text;
  }
  return windows1252.decode(bytes);
}

const META_MAX_BYTES = 4_096;

/** Returns the character set that an HTML page declares in its first lines, or null. */
export function findMetaCharset(bytes: Uint8Array): string | null {
  const head = windows1252.decode(bytes.subarray(0, META_MAX_BYTES));
  const label =
    /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w.:()-]{2,40})/i.exec(head)?.[1] ??
    /^\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{2,40})/i.exec(head)?.[1];
  // A page whose bytes can be searched for this line is not UTF-16, whatever it declares.
  return label && !/^(?:utf-?(?:16|32)|unicode$|ucs)/i.test(label) ? label : null;
}
