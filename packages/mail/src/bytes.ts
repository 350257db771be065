// Byte helpers for mail: concatenation, 1:1 text views and base64. Mail is handled as bytes because
// real messages contain 8-bit data and NUL. Knows nothing about MIME.

const encoder = new TextEncoder();
const latin1Decoder = new TextDecoder('latin1');

/** Encodes a string as UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

/**
 * Returns one character per byte, so that offsets in the string are offsets in the bytes.
 * Characters under 0x80 are themselves; the characters for 0x80–0x9f are unspecified.
 */
export function byteString(bytes: Uint8Array): string {
  return latin1Decoder.decode(bytes);
}

const BEYOND_ASCII = /[\u0080-\uffff]/;

/**
 * Returns the bytes of a string whose characters are all below 0x100; higher ones are cut to their
 * low byte.
 */
export function bytesOfLatin1(text: string): Uint8Array<ArrayBuffer> {
  // Files are megabytes of base64: the engine encodes plain ASCII many times faster than a loop
  // does.
  if (!BEYOND_ASCII.test(text)) return encoder.encode(text);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

/** Concatenates all chunks into a new array. */
export function concatBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const chunk of chunks) length += chunk.length;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}

/**
 * Reports whether both arrays hold the same bytes. Not for secrets: stops at the first difference.
 */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (left[index] !== right[index]) return false;
  return true;
}

// Native base64 is available in Node 26 and current browsers; the web views of older phones still
// lack it.
type NativeBase64 = {
  fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
};
const native = Uint8Array as unknown as NativeBase64;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Encodes bytes as base64: standard alphabet, padded, no line breaks. */
export function toBase64(bytes: Uint8Array): string {
  const capable = bytes as Uint8Array & { toBase64?: () => string };
  return capable.toBase64 ? capable.toBase64() : encodeBase64Slowly(bytes);
}

/**
 * Encodes bytes as base64 in lines of `lineCharacters`, with `eol` between them and none at the
 * end; in one line when that number is 0.
 */
export function base64Lines(bytes: Uint8Array, lineCharacters: number, eol: string): Uint8Array<ArrayBuffer> {
  const digits = encoder.encode(toBase64(bytes));
  if (lineCharacters === 0 || digits.length <= lineCharacters) return digits;
  const end = encoder.encode(eol);
  const lines = Math.ceil(digits.length / lineCharacters);
  const written = new Uint8Array(digits.length + (lines - 1) * end.length);
  for (let at = 0, to = 0; at < digits.length; at += lineCharacters, to += lineCharacters + end.length) {
    written.set(digits.subarray(at, at + lineCharacters), to);
    if (at + lineCharacters < digits.length) written.set(end, to + lineCharacters);
  }
  return written;
}

/** Decodes base64 text; blanks are skipped. Returns null for anything but valid base64. */
export function findBase64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  if (!native.fromBase64) {
    const packed = text.replace(/[\t\n\f\r ]+/g, '');
    return /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(packed)
      ? decodeBase64Leniently(packed)
      : null;
  }
  try {
    return native.fromBase64(text);
  } catch {
    return null;
  }
}

/** Decodes base64 text and ignores characters outside the alphabet. Never fails. */
export function decodeBase64Leniently(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4) + 3);
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < text.length; index++) {
    const value = base64Value(text.charCodeAt(index));
    if (value < 0) {
      // Padding ends a group: some senders concatenate several padded runs.
      if (text.charCodeAt(index) === 0x3d) held = bits = 0;
      continue;
    }
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[length++] = (bits >> held) & 0xff;
      bits &= (1 << held) - 1;
    }
  }
  return bytes.slice(0, length);
}

function base64Value(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
  if (code === 0x2b) return 62;
  return code === 0x2f ? 63 : -1;
}

function encodeBase64Slowly(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let index = 0; index < bytes.length; index += 3) {
    const word = ((bytes[index] ?? 0) << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0);
    const left = bytes.length - index;
    chunks.push(
      ALPHABET.charAt(word >> 18) +
        ALPHABET.charAt((word >> 12) & 63) +
        (left > 1 ? ALPHABET.charAt((word >> 6) & 63) : '=') +
        (left > 2 ? ALPHABET.charAt(word & 63) : '='),
    );
  }
  return chunks.join('');
}

/** Returns random lowercase hex with `length` bytes of entropy, for boundaries and identifiers. */
export function randomHex(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
