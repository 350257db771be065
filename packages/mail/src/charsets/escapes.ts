// Decodes charsets that switch alphabets inside the text: ISO 2022 in its Japanese, Chinese and
// Korean forms, HZ, and UTF-7. Each is a seven-bit wrapping of charsets that the platform supports
// in their 8-bit form.

import { decodeBase64Leniently } from '../bytes.ts';
import { createDecoder, type Decoder } from './platform.ts';

const ESC = 0x1b;

type Alphabet = 'ascii' | 'kana' | 'jis' | 'jis-more' | 'gb' | 'ksc' | 'cns' | 'latin' | 'greek' | 'unknown';

/**
 * Escape sequences without the escape character, and the alphabet each designates; `$)`, `-` and
 * `.` designate one for later use.
 */
const DESIGNATIONS: readonly (readonly [code: string, place: 'now' | 'shifted' | 'single', Alphabet])[] = [
  ['(B', 'now', 'ascii'],
  ['(J', 'now', 'ascii'],
  ['(H', 'now', 'ascii'],
  ['(I', 'now', 'kana'],
  ['$@', 'now', 'jis'],
  ['$B', 'now', 'jis'],
  ['$(@', 'now', 'jis'],
  ['$(B', 'now', 'jis'],
  ['$(O', 'now', 'jis'],
  ['$(Q', 'now', 'jis'],
  ['$(D', 'now', 'jis-more'],
  ['$(P', 'now', 'unknown'],
  ['$A', 'now', 'gb'],
  ['$(A', 'now', 'gb'],
  ['$(C', 'now', 'ksc'],
  ['$)A', 'shifted', 'gb'],
  ['$)C', 'shifted', 'ksc'],
  ['$)G', 'shifted', 'cns'],
  ['$)E', 'shifted', 'unknown'],
  ['$*H', 'single', 'unknown'],
  ['.A', 'single', 'latin'],
  ['.F', 'single', 'greek'],
];

const EUC: Partial<Record<Alphabet, Decoder>> = {
  jis: createDecoder('euc-jp'),
  'jis-more': createDecoder('euc-jp'),
  gb: createDecoder('gbk'),
  ksc: createDecoder('euc-kr'),
  cns: createDecoder('big5'),
};
const latin = createDecoder('windows-1252');
/** Characters of charsets that have one byte per character. */
const HALVES = Uint8Array.from({ length: 128 }, (_, byte) => byte | 0x80);
const UPPER: Partial<Record<Alphabet, string>> = {
  latin: latin.decode(HALVES),
  greek: createDecoder('iso-8859-7').decode(HALVES),
};

function findDesignation(bytes: Uint8Array, at: number): (typeof DESIGNATIONS)[number] | null {
  if (bytes[at] !== ESC) return null;
  const code = String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
  return DESIGNATIONS.find(([text]) => code.startsWith(text)) ?? null;
}

/** Reports whether 7-bit text switches its alphabet anywhere. */
export function hasDesignations(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at + 1)) {
    const found = findDesignation(bytes, at);
    if (found && found[2] !== 'ascii') return true;
  }
  return false;
}

// The first plane of CNS 11643 is the first level of Big5 in another grid, except for a few moved
// characters: start position and offset of each move.
const CNS_MOVES: readonly (readonly [from: number, by: number])[] = [
  [0, 0],
  [1412, 1],
  [1836, -424],
  [1837, 0],
  [3713, 387],
  [3714, -1],
  [4101, 0],
  [4626, 189],
  [4627, -1],
  [4816, 0],
  [4900, 146],
  [4901, -1],
  [4955, 0],
  [4956, -2],
  [4957, -1],
  [5047, 0],
];
const CNS_FIRST_ROW = 0x44;
const CNS_CHARACTERS = 5401;
const BIG5_ROW = 157;
const BIG5_LOW_TRAILS = 63;

function toBig5(high: number, low: number): [number, number] {
  const place = (high - CNS_FIRST_ROW) * 94 + low - 0x21;
  if (place < 0 || place >= CNS_CHARACTERS) return [0xff, 0xff];
  const moved = place + (CNS_MOVES.findLast(([from]) => from <= place)?.[1] ?? 0);
  const trail = moved % BIG5_ROW;
  return [
    0xa4 + Math.floor(moved / BIG5_ROW),
    trail < BIG5_LOW_TRAILS ? 0x40 + trail : 0xa1 + trail - BIG5_LOW_TRAILS,
  ];
}

/** Appends the 8-bit form of a run in one of the double-byte charsets. */
function pushEuc(to: number[], alphabet: Alphabet, run: readonly number[]): void {
  for (let index = 0; index < run.length; index++) {
    const high = run[index] ?? 0;
    const low = run[index + 1];
    if (high <= 0x20 || high >= 0x7f) to.push(high);
    else if (low === undefined || low <= 0x20 || low >= 0x7f) to.push(0xff);
    else {
      index++;
      if (alphabet === 'cns') to.push(...toBig5(high, low));
      else if (alphabet === 'jis-more') to.push(0x8f, high | 0x80, low | 0x80);
      else to.push(high | 0x80, low | 0x80);
    }
  }
}

const kanaOf = (byte: number): string =>
  String.fromCharCode(byte > 0x20 && byte < 0x60 ? byte + 0xff40 : byte);

/**
 * Bytes decoded at once, up to the end of a line: more would need much memory, less would need much
 * time.
 */
const TEXT_MAX_BYTES = 8_192;

/**
 * Builds text from runs in many alphabets. A text may switch alphabets at every byte, and a decoder
 * call costs a hundred times what a byte does. Runs in one charset and the ASCII between them are
 * therefore decoded together.
 */
function createWriter() {
  let text = '';
  let waiting: number[] = [];
  let decoder: Decoder | null = null;
  const flush = (): void => {
    if (waiting.length === 0) return;
    if (decoder !== null) text += decoder.decode(Uint8Array.from(waiting));
    else
      for (let at = 0; at < waiting.length; at += TEXT_MAX_BYTES)
        text += String.fromCharCode(...waiting.slice(at, at + TEXT_MAX_BYTES));
    waiting = [];
    decoder = null;
  };
  const write = (alphabet: Alphabet, run: readonly number[]): void => {
    const isPlain = run.every(byte => byte < 0x80);
    const wanted = EUC[alphabet];
    if (wanted !== undefined) {
      if (!isPlain || (decoder !== null && decoder !== wanted)) flush();
      decoder = wanted;
      pushEuc(waiting, alphabet, run);
      if (!isPlain) flush();
    } else if (alphabet === 'ascii' && isPlain) for (const byte of run) waiting.push(byte);
    else {
      flush();
      const upper = UPPER[alphabet];
      if (upper !== undefined) for (const byte of run) text += upper.charAt(byte & 0x7f);
      else if (alphabet === 'kana') for (const byte of run) text += kanaOf(byte);
      else if (alphabet === 'ascii') for (const byte of run) text += String.fromCharCode(byte);
      else text += '\ufffd'.repeat(Math.ceil(run.length / 2));
    }
  };
  return {
    write,
    endLine: (): void => {
      if (waiting.length >= TEXT_MAX_BYTES) flush();
    },
    finish: (): string => {
      flush();
      return text;
    },
  };
}

/** Decodes ISO-2022-JP, -JP-1, -JP-2, -JP-3, -KR, -CN and similar charsets. Never fails. */
export function decodeIso2022(bytes: Uint8Array): string {
  const writer = createWriter();
  let plain: Alphabet = 'ascii';
  let shifted: Alphabet = 'kana';
  let single: Alphabet = 'unknown';
  let isShifted = false;
  let run: number[] = [];
  const flush = () => {
    if (run.length) writer.write(isShifted ? shifted : plain, run);
    run = [];
  };
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const found = findDesignation(bytes, index);
    if (found) {
      const [code, place, alphabet] = found;
      flush();
      if (place === 'now') plain = alphabet;
      else if (place === 'shifted') shifted = alphabet;
      else single = alphabet;
      index += code.length;
    } else if (byte === 0x0e || byte === 0x0f) {
      flush();
      isShifted = byte === 0x0e;
    } else if (byte === ESC && bytes[index + 1] === 0x4e) {
      flush();
      const size = single === 'unknown' ? 2 : 1;
      writer.write(single, Array.from(bytes.subarray(index + 2, index + 2 + size)));
      index += 1 + size;
    } else {
      run.push(byte);
      if (byte !== 0x0a) continue;
      flush();
      writer.endLine();
      // RFC 1557: a line begins unshifted.
      isShifted = false;
    }
  }
  flush();
  return writer.finish();
}

const gb = createDecoder('gbk');

/** Decodes HZ (RFC 1843), in which `~{` and `~}` enclose Chinese. Never fails. */
export function decodeHz(bytes: Uint8Array): string {
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
    } else if (byte === 0x7e && next === 0x0a && !shifted) index++;
    else {
      if (byte === 0x0a) shifted = false;
      plain.push(shifted && byte > 0x20 && byte < 0x7f ? byte | 0x80 : byte);
    }
  }
  return gb.decode(new Uint8Array(plain));
}

// Longer text in this encoding does not occur in real mail, and decoding it takes seconds.
const UTF7_MAX_BYTES = 2_097_152;

/**
 * Decodes UTF-7 (RFC 2152): `+` opens a run of base64 that contains UTF-16BE, `-` or any other
 * character outside the alphabet ends it, `+-` is a plus.
 */
export function decodeUtf7(bytes: Uint8Array): string {
  const source = latin.decode(bytes);
  if (bytes.length > UTF7_MAX_BYTES) return source;
  return source.replace(/\+([A-Za-z0-9+/]*)-?/g, (_: string, run: string) => {
    if (!run) return '+';
    const units = decodeBase64Leniently(run);
    let text = '';
    for (let index = 0; index + 1 < units.length; index += 2) {
      text += String.fromCharCode(((units[index] ?? 0) << 8) | (units[index + 1] ?? 0));
    }
    return text;
  });
}
