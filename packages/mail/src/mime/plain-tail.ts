// Handles mailing lists that append their footer as plain text below a base64 body. Decoded as
// base64, it would be gibberish at the end of the text.

import { byteString, concatBytes, findBase64Bytes, utf8 } from '../bytes.ts';
import { decodeTransfer } from './transfer.ts';

/**
 * Maximum size, in bytes: a longer tail is not a footer, and a larger body is not a text with one.
 */
const TAIL_MAX_BYTES = 8_000;
const BODY_MAX_BYTES = 8_388_608;
/** Encoded lines are long, except the last. */
const ENCODED_LINE_MIN_CHARACTERS = 57;

const isEncoded = (line: string): boolean => /^[A-Za-z0-9+/]+={0,2}$/.test(line);

/** Returns where the plain lines below a base64 body begin; -1 when there are none. */
export function findPlainTail(body: Uint8Array, encoding: string): number {
  if (!encoding.includes('base64') || body.length > BODY_MAX_BYTES) return -1;
  const text = byteString(body);
  if (findBase64Bytes(text) !== null) return -1;
  let encodedLines = 0;
  let afterPadding = -1;
  let afterBlank = -1;
  let position = 0;
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line === '') afterBlank = encodedLines > 0 ? position + raw.length + 1 : -1;
    else if (!isEncoded(line)) {
      if (encodedLines === 0) return -1;
      const start = afterPadding >= 0 ? afterPadding : afterBlank;
      const tail = start < 0 ? position : start;
      return isTail(text, tail) ? tail : -1;
    } else {
      if (line.endsWith('=')) afterPadding = position + raw.length + 1;
      else if (line.length >= ENCODED_LINE_MIN_CHARACTERS) afterPadding = -1;
      encodedLines++;
    }
    position += raw.length + 1;
  }
  return -1;
}

const isTail = (text: string, start: number): boolean =>
  text.length - start <= TAIL_MAX_BYTES &&
  !text
    .slice(start)
    .split('\n')
    .some(line => line.trim().length >= ENCODED_LINE_MIN_CHARACTERS && isEncoded(line.trim()));

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns the bytes of a text part, with the plain lines below it converted to text of the same
 * type.
 */
export function decodeTextBody(body: Uint8Array, encoding: string, type: string): Uint8Array {
  const start = findPlainTail(body, encoding);
  if (start < 0) return decodeTransfer(body, encoding);
  const words = decodeTransfer(body.subarray(0, start), encoding);
  const tail = body.subarray(start);
  if (type !== 'text/html') return concatBytes([words, utf8('\n'), tail]);
  const escaped = byteString(tail).replace(/[&<>]/g, char => ESCAPES[char] ?? '');
  return concatBytes([words, utf8(`\n<pre>${escaped}</pre>`)]);
}
