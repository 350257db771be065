// The line that begins each message of an mbox file (RFC 4155, appendix A): `From `, who, when. Programs that wrote such files
// were careless with quoting, so a line of a letter that begins alike is told from it by what stands around.

const LF = 0x0a;
const CR = 0x0d;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const TIME = /\b\d{1,2}:\d\d\b/;
const YEAR = /\b(?:19|20)\d\d\b/;
const HEADER_LINE = /^(?:[!-9;-~]+[ \t]*:|>From )/;
const LOOKED_AT = 500;

/** Whether these bytes begin with `From `. */
export const beginsWithFrom = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x46 &&
  bytes[at + 1] === 0x72 &&
  bytes[at + 2] === 0x6f &&
  bytes[at + 3] === 0x6d &&
  bytes[at + 4] === 0x20;

/** The text of a line without its end, one character a byte. */
export function lineText(bytes: Uint8Array, start: number, next: number): string {
  let end = Math.min(next, start + LOOKED_AT);
  while (end > start && (bytes[end - 1] === LF || bytes[end - 1] === CR)) end--;
  return String.fromCharCode(...bytes.subarray(start, end));
}

const isDated = (line: string): boolean => MONTH.test(line) && TIME.test(line) && YEAR.test(line);

/**
 * Whether a line that begins with `From ` begins a message. After an empty line either its time or a header field on the next
 * line will do; without one it takes both.
 */
export function isSeparator(line: string, nextLine: string, isAfterEmpty: boolean): boolean {
  const isBeforeHeader = HEADER_LINE.test(nextLine);
  return isAfterEmpty ? isBeforeHeader || isDated(line) : isBeforeHeader && isDated(line);
}

/** Whether a message begins where these bytes do: its separator line is whole, and the one after it as far as it is looked at. */
export function beginsMessage(bytes: Uint8Array): boolean {
  if (!beginsWithFrom(bytes, 0)) return false;
  const next = bytes.indexOf(LF) + 1;
  if (next === 0) return false;
  const after = bytes.indexOf(LF, next) + 1;
  return isSeparator(
    lineText(bytes, 0, next),
    lineText(bytes, next, after === 0 ? bytes.length : after),
    true,
  );
}

/** The time of such a line in UTC, or null. */
export function findEnvelopeDate(line: string): Date | null {
  const parts =
    /\b([A-Z][a-z]{2}) +(\d{1,2}) +(\d{1,2}:\d\d(?::\d\d)?)(?: +([+-]\d{4}|[A-Z]{3,4}))? +(\d{4})\b/.exec(
      line,
    );
  if (parts === null) return null;
  const time = Date.parse(`${parts[2]} ${parts[1]} ${parts[5]} ${parts[3]} ${parts[4] ?? '+0000'}`);
  return Number.isFinite(time) ? new Date(time) : null;
}
