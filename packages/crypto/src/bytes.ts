// Byte helpers: joining, constant-time comparison, wiping, and strict base64. No cryptography here.
// [Note: Strict base64] Standard alphabet, padded, canonical: no whitespace, no missing '=', no
// stray bits in the last digit. Each value has exactly one encoding, so flipping any bit of a wire
// value is always detected.

import type { Bytes } from './platform.ts';

/** Joins `parts` into new bytes. */
export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  let sizeBytes = 0;
  for (const part of parts) sizeBytes += part.length;
  const joined = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Returns whether two byte strings are equal, in time that depends only on their lengths. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number);
  return difference === 0;
}

/** Returns whether every byte is zero, in time that depends only on the length. */
export function isAllZero(bytes: Uint8Array): boolean {
  let seen = 0;
  for (const byte of bytes) seen |= byte;
  return seen === 0;
}

/**
 * Overwrites secrets with zeros. The engine may hold copies that code cannot reach; wiping shortens
 * the lifetime of the copies it can.
 */
export function wipe(...secrets: readonly (Uint8Array | null | undefined)[]): void {
  for (const secret of secrets) secret?.fill(0);
}

/**
 * Throws RangeError unless `bytes` has exactly `sizeBytes`; `what` names the value, never its
 * content.
 */
export function requireSize(bytes: Uint8Array, sizeBytes: number, what: string): void {
  if (!(bytes instanceof Uint8Array) || bytes.length !== sizeBytes)
    throw new RangeError(`${what} must be ${sizeBytes} bytes`);
}

/** Returns the lowercase hex of `bytes`. */
export function encodeHex(bytes: Uint8Array): string {
  let hex = '';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const DIGIT = new Int16Array(128).fill(-1);
for (let i = 0; i < ALPHABET.length; i++) DIGIT[ALPHABET.charCodeAt(i)] = i;

type NativeBase64 = {
  readonly fromBase64?: (text: string, options: { lastChunkHandling: 'strict' }) => Bytes;
};
const native = Uint8Array as unknown as NativeBase64;
const hasNativeEncoder = 'toBase64' in Uint8Array.prototype;

/** Returns the base64 of `bytes`. Inverse of {@link decodeBase64}. */
export function encodeBase64(bytes: Uint8Array): string {
  return hasNativeEncoder
    ? (bytes as unknown as { toBase64(): string }).toBase64()
    : encodeBase64Portable(bytes);
}

/**
 * Returns the bytes of strict base64 `text` ([Note: Strict base64]). Throws SyntaxError for other
 * text.
 */
export function decodeBase64(text: string): Bytes {
  if (typeof text !== 'string') throw new SyntaxError('Not base64');
  if (native.fromBase64 === undefined) return decodeBase64Portable(text);
  const bytes = native.fromBase64(text, { lastChunkHandling: 'strict' });
  // The platform skips whitespace, which is the only way the text can be longer than its bytes
  // need.
  if (text.length !== Math.ceil(bytes.length / 3) * 4) throw new SyntaxError('Not base64');
  return bytes;
}

/** {@link encodeBase64} for engines without Uint8Array.prototype.toBase64. */
export function encodeBase64Portable(bytes: Uint8Array): string {
  const pieces: string[] = [];
  let piece = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a, b, c] = [bytes[i] as number, bytes[i + 1], bytes[i + 2]];
    piece += ALPHABET.charAt(a >> 2) + ALPHABET.charAt(((a & 3) << 4) | ((b ?? 0) >> 4));
    piece += b === undefined ? '=' : ALPHABET.charAt(((b & 15) << 2) | ((c ?? 0) >> 6));
    piece += c === undefined ? '=' : ALPHABET.charAt(c & 63);
    if (piece.length >= 8192) {
      pieces.push(piece);
      piece = '';
    }
  }
  pieces.push(piece);
  return pieces.join('');
}

/** {@link decodeBase64} for engines without Uint8Array.fromBase64. */
export function decodeBase64Portable(text: string): Bytes {
  if (text.length % 4 !== 0) throw new SyntaxError('Not base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const digits = text.length - padding;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let held = 0;
  let offset = 0;
  for (let i = 0; i < digits; i++) {
    const code = text.charCodeAt(i);
    const digit = code < 128 ? (DIGIT[code] as number) : -1;
    if (digit < 0) throw new SyntaxError('Not base64');
    bits = ((bits << 6) | digit) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[offset++] = bits >> held;
    }
  }
  if ((bits & ((1 << held) - 1)) !== 0) throw new SyntaxError('Not base64');
  return bytes;
}
