// Detects and decodes UTF-16 and UTF-32. An incomplete character at the end is left out.

import { createDecoder } from './platform.ts';

const little = createDecoder('utf-16le');
const big = createDecoder('utf-16be');

const SAMPLE_BYTES = 1_000;

/**
 * Returns the byte order of UTF-16 without a byte order mark, from the position of the zero bytes
 * of its plain letters and blanks; null for other bytes.
 */
export function findUtf16(bytes: Uint8Array): 'le' | 'be' | null {
  // Zeros at the end of a text say nothing about the text before them.
  let end = Math.min(SAMPLE_BYTES, bytes.length & ~1);
  while (end > 0 && bytes[end - 1] === 0) end--;
  const sample = bytes.subarray(0, end);
  const zeros = [0, 0];
  const blanks = [0, 0];
  for (let index = 0; index < sample.length; index++) {
    const place = index % 2;
    if (sample[index] === 0) {
      zeros[place] = (zeros[place] ?? 0) + 1;
      const other = sample[index ^ 1] ?? 0;
      if (other === 0x20 || other === 0x0a || other === 0x0d) blanks[place] = (blanks[place] ?? 0) + 1;
    }
  }
  const [even = 0, odd = 0] = zeros;
  const isEnough = (here: number, there: number, blank: number) =>
    here > 8 * there && (here > sample.length * 0.15 || blank > 1);
  if (sample.length < 3) return null;
  if (isEnough(odd, even, blanks[1] ?? 0)) return 'le';
  return isEnough(even, odd, blanks[0] ?? 0) ? 'be' : null;
}

/** Decodes UTF-16 and drops its byte order mark. */
export function decodeUtf16(bytes: Uint8Array, isLittle: boolean): string {
  const end = bytes.length & ~1;
  const isHalf = ((bytes[end - (isLittle ? 1 : 2)] ?? 0) & 0xfc) === 0xd8;
  return (isLittle ? little : big).decode(bytes.subarray(0, isHalf ? end - 2 : end));
}

/** Decodes UTF-32 and drops its byte order mark. */
export function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at + 3 < bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle);
    if (code === 0xfeff && at === 0) continue;
    const isCharacter = code < 0x11_0000 && (code < 0xd800 || code > 0xdfff);
    text += isCharacter ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}
