// Converts a stored message into wire form (RFC 5322 §2.3): CRLF at the end of every line, and mbox
// quoting undone where it was applied.

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x3e;
const FROM = [0x46, 0x72, 0x6f, 0x6d, 0x20];

const isEmptyLine = (bytes: Uint8Array, start: number, next: number): boolean =>
  next - start === 1 || (next - start === 2 && bytes[start] === CR && bytes[start + 1] === LF);

/** Reports whether `From ` follows at least one quote sign. */
function isQuotedFrom(bytes: Uint8Array, start: number, next: number): boolean {
  let at = start;
  while (at < next && bytes[at] === QUOTE) at++;
  return at > start && FROM.every((code, index) => bytes[at + index] === code);
}

/**
 * Calls `line` for each line with its start, the start of the next line, whether it lacks a CR, and
 * whether it is a quoted From line.
 */
function eachLine(
  bytes: Uint8Array,
  line: (start: number, next: number, isBare: boolean, isQuoted: boolean, isBody: boolean) => void,
): void {
  let isBody = false;
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LF, start);
    const next = found < 0 ? bytes.length : found + 1;
    const isBare = found >= 0 && !(found > start && bytes[found - 1] === CR);
    const isQuoted = bytes[start] === QUOTE && isQuotedFrom(bytes, start, next);
    line(start, next, isBare, isQuoted, isBody);
    if (!isBody && isEmptyLine(bytes, start, next)) isBody = true;
    start = next;
  }
}

/**
 * Returns the message with CRLF at the end of every terminated line. With `isQuoted`, one quote
 * sign is removed before each `From ` of the body, as in mboxrd; a quoted line among the header
 * fields is not a field and is dropped.
 */
export function toMailLines(bytes: Uint8Array<ArrayBuffer>, isQuoted = false): Uint8Array<ArrayBuffer> {
  let size = 0;
  let isChanged = false;
  const shiftOf = (isFrom: boolean, isBody: boolean): 'keep' | 'drop' | 'unquote' =>
    !isQuoted || !isFrom ? 'keep' : isBody ? 'unquote' : 'drop';
  eachLine(bytes, (start, next, isBare, isFrom, isBody) => {
    const shift = shiftOf(isFrom, isBody);
    if (isBare || shift !== 'keep') isChanged = true;
    if (shift !== 'drop') size += next - start + (isBare ? 1 : 0) - (shift === 'unquote' ? 1 : 0);
  });
  if (!isChanged) return bytes;
  const written = new Uint8Array(size);
  let to = 0;
  eachLine(bytes, (start, next, isBare, isFrom, isBody) => {
    const shift = shiftOf(isFrom, isBody);
    if (shift === 'drop') return;
    const from = shift === 'unquote' ? start + 1 : start;
    const text = bytes.subarray(from, isBare ? next - 1 : next);
    written.set(text, to);
    to += text.length;
    if (!isBare) return;
    written[to++] = CR;
    written[to++] = LF;
  });
  return written;
}

/** Reports whether lines end with CR alone, as on classic Mac OS. */
export const hasOnlyReturns = (bytes: Uint8Array): boolean => bytes.includes(CR) && !bytes.includes(LF);

/** Replaces each CR with LF, so that every offset stays the same. */
export const withLineFeeds = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.map(code => (code === CR ? LF : code));

/**
 * Returns a chunk of a file with LF in place of CR if its lines end with CR alone; leaves other
 * bytes as they are.
 */
export const withLineEnds = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  hasOnlyReturns(bytes) ? withLineFeeds(bytes) : bytes;

/** Returns the bytes as they were before mboxrd quoting, with line endings untouched. */
export function withoutQuoting(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const written = new Uint8Array(bytes.length);
  let to = 0;
  eachLine(bytes, (start, next, _isBare, isFrom) => {
    const line = bytes.subarray(isFrom ? start + 1 : start, next);
    written.set(line, to);
    to += line.length;
  });
  return to === bytes.length ? bytes : written.subarray(0, to);
}
