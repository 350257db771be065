// The line that begins each message of an mbox file (RFC 4155, appendix A): `From `, who, when. Programs that wrote such files
// were careless with quoting, so a line of a letter that begins alike is told from it by what stands around.
import { readDate } from '@keyfold/mail/dates';

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

/** Who and nothing else, or no time that one could read: `From -`, `From ann@x.example`, `From ???@??? 12.4.25`. */
const UNDATED = /^From +(?:-|[^\s@]*@\S*|MAILER-DAEMON|"[^"]*")(?: [\d./:, +-]*)?$/i;
/** Fields that no letter of a person has in its text; the others are words too. */
const MACHINE_FIELD =
  /^(?:received|return-path|delivered-to|message-id|mime-version|content-type|status|x-[a-z0-9-]+|envelope-to|dkim-signature)[ \t]*:/i;
const COMMON_FIELD = /^(?:from|to|date|subject|cc|sender|reply-to)[ \t]*:/i;

/**
 * Whether a line that begins with `From ` begins a message. It takes a time, and a header field on the next line that mail is
 * known to have where no empty line is before; without a time, an empty line before, and either the form of a separator or
 * a field that no letter has in its text.
 */
export function isSeparator(line: string, nextLine: string, isAfterEmpty: boolean): boolean {
  if (!HEADER_LINE.test(nextLine)) return false;
  const isField = MACHINE_FIELD.test(nextLine) || COMMON_FIELD.test(nextLine);
  if (isDated(line)) return isAfterEmpty || isField || nextLine.startsWith('>From ');
  if (!isAfterEmpty) return false;
  return MACHINE_FIELD.test(nextLine) || (UNDATED.test(line) && COMMON_FIELD.test(nextLine));
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

/** A year and a day, behind which clocks are that were never set. */
export const NEVER_SET_MS = 366 * 86_400_000;

/** `From ` and who: quoted, or one word. */
const WHO = /^From +(?:"[^"]*"|\S+)/;
/** A day of the week or a month by its English name, as most separators begin their time. Who stands before may be of several words. */
const NAMED_DAY = /\b[A-Z][a-z]{2} +\d{1,2}\b.*/;

/** The time of such a line in UTC, or null. */
export function findEnvelopeDate(line: string): Date | null {
  const rest = line.replace(WHO, '');
  const read = readDate(NAMED_DAY.exec(rest)?.[0] ?? rest) ?? readDate(rest);
  const time = read === null ? 0 : Date.parse(read.iso);
  return time > NEVER_SET_MS ? new Date(time) : null;
}
