// Content transfer encodings (RFC 2045 6): decodes incoming content leniently and encodes outgoing
// content. detach.ts handles exact re-encoding of foreign parts.

import { base64Lines, byteString, decodeBase64Leniently, findBase64Bytes, utf8 } from '../bytes.ts';

/** Decodes a part body; an unknown encoding counts as none. Never fails. */
export function decodeTransfer(body: Uint8Array, encoding: string): Uint8Array {
  const name = encoding.trim().toLowerCase();
  if (name.includes('base64')) {
    const text = byteString(body);
    return findBase64Bytes(text) ?? decodeBase64Leniently(text);
  }
  if (name.includes('quoted-printable')) return decodeQuotedPrintable(body);
  return body;
}

function hexValue(code: number | undefined): number {
  if (code === undefined) return -1;
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const upper = code & ~0x20;
  return upper >= 0x41 && upper <= 0x46 ? upper - 0x41 + 10 : -1;
}

function decodeQuotedPrintable(body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(body.length);
  let length = 0;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte === 0x3d) {
      const high = hexValue(body[index + 1]);
      const low = hexValue(body[index + 2]);
      if (high >= 0 && low >= 0) {
        bytes[length++] = (high << 4) | low;
        index += 2;
        continue;
      }
      // A soft line break, possibly with blanks that a relay added before the line end.
      let end = index + 1;
      while (body[end] === 0x20 || body[end] === 0x09) end++;
      if (body[end] === 0x0d && body[end + 1] === 0x0a) end++;
      if (body[end] === 0x0a || end >= body.length) {
        index = end;
        continue;
      }
    }
    bytes[length++] = byte;
  }
  return bytes.slice(0, length);
}

/** Number of file bytes converted to text at once; fills whole lines. */
const BASE64_SLICE_BYTES = 57 * 8192;

const BASE64_LINE_CHARACTERS = 76;
const lineEnd = utf8('\r\n');

/**
 * Encodes base64 in lines of at most 76 characters, with CRLF between them and none at the end (RFC
 * 2045 §6.8). Returns pieces, so that a file of 40 MB does not occupy memory as three texts of 50
 * MB.
 */
export function encodeBase64Pieces(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (let start = 0; start < bytes.length; start += BASE64_SLICE_BYTES) {
    const slice = bytes.subarray(start, start + BASE64_SLICE_BYTES);
    pieces.push(base64Lines(slice, BASE64_LINE_CHARACTERS, '\r\n'));
    if (start + BASE64_SLICE_BYTES < bytes.length) pieces.push(lineEnd);
  }
  return pieces;
}

// An inert marker at the start of a line would be undone when the message is read (inert.ts), so
// its first letter is written in hex. Mailbox files and SMTP alter "From " and ".".
const FRAGILE_LINE_START = /^(?:X-Keyfold-Inert-|From |\.)/i;
/** Maximum line length in characters, including the soft break at its end. */
const LINE_MAX = 76;

/**
 * Encodes text as quoted-printable: UTF-8, lines of at most 76 characters, CRLF line ends. RFC 2045
 * §6.7.
 */
export function encodeQuotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(encodeQuotedPrintableLine)
    .join('\r\n');
}

/** Encoded form of each byte inside a line. */
const UNITS = Array.from({ length: 256 }, (_, byte) =>
  (byte >= 0x20 && byte < 0x7f && byte !== 0x3d) || byte === 0x09 ? String.fromCharCode(byte) : inHex(byte),
);
/** A continuation line may also begin with a fragile sequence: a dot or "From " from mid-line. */
const FRAGILE_UNITS: Readonly<Record<string, string>> = { '.': '=2E', F: '=46', X: '=58', x: '=78' };
/**
 * Lines that need no encoding and have no trailing blank, which are most lines in most messages.
 */
const PLAIN_LINE = /^(?:[\t !-<>-~]*[!-<>-~])?$/;

function inHex(byte: number): string {
  return `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function encodeQuotedPrintableLine(line: string): string {
  const isFragile = FRAGILE_LINE_START.test(line);
  if (PLAIN_LINE.test(line)) return foldPlainLine(line, isFragile);
  const bytes = utf8(line);
  const last = bytes.length - 1;
  const lines: string[] = [];
  let current = '';
  for (let index = 0; index <= last; index++) {
    const byte = bytes[index] ?? 0;
    const isBlankAtEnd = index === last && (byte === 0x20 || byte === 0x09);
    const unit = isBlankAtEnd || (index === 0 && isFragile) ? inHex(byte) : (UNITS[byte] ?? '');
    if (current.length + unit.length > (index === last ? LINE_MAX : LINE_MAX - 1)) {
      lines.push(`${current}=`);
      current = FRAGILE_UNITS[unit] ?? unit;
    } else current += unit;
  }
  lines.push(current);
  return lines.join('\r\n');
}

function foldPlainLine(line: string, isFragile: boolean): string {
  let start = isFragile ? 1 : 0;
  let first = isFragile ? inHex(line.charCodeAt(0)) : '';
  let folded = '';
  while (first.length + line.length - start > LINE_MAX) {
    const end = start + LINE_MAX - 1 - first.length;
    folded += `${first}${line.slice(start, end)}=\r\n`;
    first = FRAGILE_UNITS[line[end] ?? ''] ?? '';
    start = first === '' ? end : end + 1;
  }
  return folded + first + line.slice(start);
}
