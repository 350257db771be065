// Recognizes the line that begins each message of an mbox file (RFC 4155, appendix A): `From `,
// sender, time. Programs that wrote such files quoted carelessly, so the surrounding lines
// distinguish a separator from a similar line in a message's text.
import { readDate } from '@keyfold/mail/dates';

const LF = 0x0a;
const CR = 0x0d;
const MONTH = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
const TIME = /\b\d{1,2}:\d\d\b/;
const YEAR = /\b(?:19|20)\d\d\b/;
const HEADER_LINE = /^(?:[!-9;-~]+[ \t]*:|>From )/;
const LOOKED_AT = 500;

/** Reports whether the bytes at this offset are `From `. */
export const beginsWithFrom = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x46 &&
  bytes[at + 1] === 0x72 &&
  bytes[at + 2] === 0x6f &&
  bytes[at + 3] === 0x6d &&
  bytes[at + 4] === 0x20;

/** Returns a line without its line ending, one character per byte. */
export function lineText(bytes: Uint8Array, start: number, next: number): string {
  let end = Math.min(next, start + LOOKED_AT);
  while (end > start && (bytes[end - 1] === LF || bytes[end - 1] === CR)) end--;
  return String.fromCharCode(...bytes.subarray(start, end));
}

const isDated = (line: string): boolean => MONTH.test(line) && TIME.test(line) && YEAR.test(line);

/** A sender without a readable time: `From -`, `From ann@x.example`, `From ???@??? 12.4.25`. */
const UNDATED = /^From +(?:-|[^\s@]*@\S*|MAILER-DAEMON|"[^"]*")(?: [\d./:, +-]*)?$/i;
/**
 * Fields that do not occur in text written by a person; the names of other fields are also ordinary
 * words.
 */
const MACHINE_FIELD =
  /^(?:received|return-path|delivered-to|message-id|mime-version|content-type|status|x-[a-z0-9-]+|envelope-to|dkim-signature)[ \t]*:/i;
const COMMON_FIELD = /^(?:from|to|date|subject|cc|sender|reply-to)[ \t]*:/i;

/**
 * Reports whether a line that begins with `From ` begins a message. With a time, it needs either an
 * empty line before it or a known header field on the next line. Without a time, it needs an empty
 * line before it, and either the form of a separator or a next-line field that does not occur in
 * text written by a person.
 */
export function isSeparator(line: string, nextLine: string, isAfterEmpty: boolean): boolean {
  if (!HEADER_LINE.test(nextLine)) return false;
  const isField = MACHINE_FIELD.test(nextLine) || COMMON_FIELD.test(nextLine);
  if (isDated(line)) return isAfterEmpty || isField || nextLine.startsWith('>From ');
  if (!isAfterEmpty) return false;
  return MACHINE_FIELD.test(nextLine) || (UNDATED.test(line) && COMMON_FIELD.test(nextLine));
}

/**
 * Reports whether a message begins at the start of these bytes: the separator line is complete, and
 * so is the examined part of the next line.
 */
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

/** A year and a day after the epoch; clocks that were never set are before it. */
export const NEVER_SET_MS = 366 * 86_400_000;

/** `From ` and the sender: quoted, or one word. */
const WHO = /^From +(?:"[^"]*"|\S+)/;
/**
 * A weekday or a month by its English name, with which most separators begin their time. The sender
 * before it may consist of several words.
 */
const NAMED_DAY = /\b[A-Z][a-z]{2} +\d{1,2}\b.*/;

/** Returns the time of a separator line in UTC, or null. */
export function findEnvelopeDate(line: string): Date | null {
  const rest = line.replace(WHO, '');
  const read = readDate(NAMED_DAY.exec(rest)?.[0] ?? rest) ?? readDate(rest);
  const time = read === null ? 0 : Date.parse(read.iso);
  return time > NEVER_SET_MS ? new Date(time) : null;
}
