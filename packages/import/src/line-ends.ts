// Turns a message as files keep it into a message as mail has it (RFC 5322 §2.3): every line ended by CR LF, and the quoting
// of mbox files taken back where it was done.

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x3e;
const FROM = [0x46, 0x72, 0x6f, 0x6d, 0x20];

const isEmptyLine = (bytes: Uint8Array, start: number, next: number): boolean =>
  next - start === 1 || (next - start === 2 && bytes[start] === CR && bytes[start + 1] === LF);

/** Whether `From ` stands behind at least one quote sign. */
function isQuotedFrom(bytes: Uint8Array, start: number, next: number): boolean {
  let at = start;
  while (at < next && bytes[at] === QUOTE) at++;
  return at > start && FROM.every((code, index) => bytes[at + index] === code);
}

/** Calls `line` for each line: its start, the start of the next, whether it lacks a CR, whether it is a quoted From. */
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
 * The message with CR LF at the end of every line that has an end. With `isQuoted` one quote sign goes before each `From `
 * of the body, as mboxrd has it; a quoted line among the header fields is no field and goes.
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

/** Whether lines end as on the first Macintosh systems: by CR alone. */
export const hasOnlyReturns = (bytes: Uint8Array): boolean => bytes.includes(CR) && !bytes.includes(LF);

/** The same bytes with LF for each CR, so that every place stays where it is. */
export const withLineFeeds = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  bytes.map(code => (code === CR ? LF : code));

/** A piece of a file with LF where its lines end by CR alone; other bytes as they are. */
export const withLineEnds = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  hasOnlyReturns(bytes) ? withLineFeeds(bytes) : bytes;

/** The bytes as they were before an mbox of the kind mboxrd quoted them, their line ends untouched. */
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
