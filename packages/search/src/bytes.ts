// Growing output and an input cursor for the numbers of the segment format: variable-length, seven
// bits per byte, least significant first. Reading past the end throws, so a damaged segment is
// rejected and never partly read.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Growable byte buffer. */
export type Output = {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
};

export const createOutput = (capacity = 4_096): Output => ({ bytes: new Uint8Array(capacity), length: 0 });

/**
 * Frees the memory of bytes that are no longer read. Building and merging allocate many times the
 * size of the index, and a worker that does little else collects garbage late.
 */
export function release({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer?.(0);
}

function makeRoom(out: Output, more: number): void {
  if (out.length + more <= out.bytes.length) return;
  const grown = new Uint8Array(Math.max(out.bytes.length + (out.bytes.length >> 1), out.length + more));
  grown.set(out.bytes.subarray(0, out.length));
  release(out.bytes);
  out.bytes = grown;
}

/** Writes an integer from 0 to 2^53. */
export function writeNumber(out: Output, value: number): void {
  makeRoom(out, 8);
  let rest = value;
  while (rest >= 0x80) {
    out.bytes[out.length++] = (rest % 0x80) | 0x80;
    rest = rest < 0x8000_0000 ? rest >>> 7 : Math.floor(rest / 0x80);
  }
  out.bytes[out.length++] = rest;
}

export function writeBytes(out: Output, bytes: Uint8Array): void {
  makeRoom(out, bytes.length);
  out.bytes.set(bytes, out.length);
  out.length += bytes.length;
}

export const encodeText = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** Position in a byte array. */
export type Input = { readonly bytes: Uint8Array; at: number; readonly end: number };

export const createInput = (bytes: Uint8Array, start = 0, end = bytes.length): Input => ({
  bytes,
  at: start,
  end,
});

export function readNumber(input: Input): number {
  const { bytes } = input;
  let value = 0;
  let scale = 1;
  for (;;) {
    if (input.at >= input.end || scale > 2 ** 49) throw new RangeError('Damaged segment');
    const byte = bytes[input.at++] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
}

export function readBytes(input: Input, size: number): Uint8Array {
  if (input.at + size > input.end) throw new RangeError('Damaged segment');
  input.at += size;
  return input.bytes.subarray(input.at - size, input.at);
}

/** Reads text of `size` bytes; short ASCII, the usual term, avoids the cost of the decoder. */
export function readText(input: Input, size: number): string {
  const bytes = readBytes(input, size);
  if (size > 24) return decoder.decode(bytes);
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x80) return decoder.decode(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** Compares two UTF-8 texts of these lengths: below zero, zero or above zero. */
export function compareBytes(a: Uint8Array, aLength: number, b: Uint8Array, bLength: number): number {
  const most = Math.min(aLength, bLength);
  for (let at = 0; at < most; at++) {
    const difference = (a[at] as number) - (b[at] as number);
    if (difference !== 0) return difference;
  }
  return aLength - bLength;
}
