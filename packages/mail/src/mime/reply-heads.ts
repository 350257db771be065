// Finds where the earlier message begins in a reply, by the form of what programs write above it (a
// block of labeled lines, a line that ends in a colon above a quotation), not by a single word.
// Prose that looks like a header stays prose.

import {
  FORWARDED,
  type HeadKind,
  INTRODUCES,
  LABEL_KINDS,
  ORIGINAL,
  QUOTING,
  WROTE,
} from './reply-words.ts';

/**
 * An earlier message without quotation marks: its first line, the first line of its text, and
 * whether it is forwarded.
 */
export type EarlierMail = {
  start: number;
  textStart: number;
  isForward: boolean;
};

/** Maximum number of lines that an attribution may be wrapped into. */
const ATTRIBUTION_LINES = 4;
const ATTRIBUTION_MAX_CHARACTERS = 500;
/** Maximum number of lines in one header block: long lists of recipients are folded. */
const HEAD_LINES = 60;
const FOOTER_LINES = 15;
const LINE_MAX_CHARACTERS = 300;

const CONTROLS = /[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const ADDRESS = /[^\s<>()"“”]@[^\s<>()"“”]+\.[^\s<>()"“”]/u;
const BRACKETED = /[<([«"“][^\s<>]{1,200}@[^\s<>]{1,200}[>)\]»"”]/u;
const WEB = /:\/\/|www\.|@/iu;
const RULE = /^([_=*~#+-])\1{7,}$/u;

const plain = (line: string): string =>
  line.slice(0, LINE_MAX_CHARACTERS).replace(CONTROLS, '').replace(/\s+/gu, ' ').trim();

const isBlank = (line: string | undefined): boolean => line !== undefined && plain(line) === '';

function nextWritten(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at])) at++;
  return at;
}

function labelOf(line: string): { kind: HeadKind; value: string } | null {
  const found = /^[*_]*([^:：*_]{1,30}?)\s?[*_]*[:：]\s?[*_]*(.*)$/u.exec(plain(line));
  const kind = LABEL_KINDS.get((found?.[1] ?? '').toLowerCase());
  return kind === undefined ? null : { kind, value: found?.[2] ?? '' };
}

const STARTS: ReadonlySet<HeadKind> = new Set(['from', 'sent', 'date', 'subject']);

/**
 * Returns the line after the labeled lines that begin at `start`, or -1 when they are not a message
 * header: it must name author, date and subject, at least one of them as a program writes it, and
 * end with an empty line.
 */
export function findHeadEnd(lines: readonly string[], start: number): number {
  const first = labelOf(lines[start] ?? '');
  if (first === null || !STARTS.has(first.kind)) return -1;
  const found = new Map<HeadKind, string>();
  let end = start;
  for (let at = start; at < Math.min(lines.length, start + HEAD_LINES); at++) {
    const line = lines[at] ?? '';
    const label = labelOf(line);
    if (label !== null) {
      if (label.kind !== 'other' && label.kind !== 'cc' && found.has(label.kind)) break;
      found.set(label.kind, label.value);
    } else if (isBlank(line)) {
      // Texts converted from HTML have an empty line after each label line.
      const next = labelOf(lines[at + 1] ?? '');
      if (next === null || found.has(next.kind)) break;
      continue;
    } else if (!isContinued(line, lines[at - 1] ?? '')) break;
    end = at + 1;
  }
  return isWholeHead(found) && (end >= lines.length || isBlank(lines[end])) ? end : -1;
}

function isWholeHead(found: ReadonlyMap<HeadKind, string>): boolean {
  const date = found.get('sent') ?? found.get('date');
  if (!found.has('from') || date === undefined) return false;
  const hasAddress = [found.get('from'), found.get('to')].some(value => ADDRESS.test(value ?? ''));
  const hasSubject = found.has('subject');
  const isFull = found.has('to') ? hasSubject || hasAddress : hasSubject && found.has('sent');
  return isFull && (hasAddress || /\p{N}/u.test(date));
}

/** Reports whether a line of recipients continues the previous one. */
const isContinued = (line: string, before: string): boolean =>
  /^[ \t]+\S/u.test(line) || /[;,]$/u.test(plain(before)) || /^[^\s:]*@[^\s]*$/u.test(plain(line));

/** Returns the words between dashes, or null. */
function dashed(line: string): string | null {
  const text = plain(line);
  const words = text.replace(/^[-_–—=\s]+/u, '').replace(/[-_–—=\s]+$/u, '');
  const [before = '', after = ''] = words === '' ? [] : text.split(words);
  const isBetween = /[-_–—=]{2}/u.test(before) && /[-_–—=]{2}/u.test(after);
  return isBetween && /^\p{L}/u.test(words) ? words : null;
}

/** Reports whether a line announces a forwarded message. */
export function isForwardMark(line: string): boolean {
  const text = plain(line);
  return FORWARDED.test(dashed(line) ?? (text.length <= 80 && /[:：]$/u.test(text) ? text : ''));
}

/** Reports whether the words above a quotation name its author. */
export function isAttribution(written: string): boolean {
  if (written.length > ATTRIBUTION_MAX_CHARACTERS) return false;
  const words = written.replace(CONTROLS, '').replace(/\s+/gu, ' ').trim();
  if (!/(?:[:：]|-{2,})$/u.test(words)) return false;
  if (QUOTING.test(words)) return true;
  const hasDate = /\p{N}/u.test(words);
  if (WROTE.test(words)) return hasDate || BRACKETED.test(words) || INTRODUCES.test(words);
  return hasDate && ADDRESS.test(words);
}

/**
 * Returns how many lines at the end, including empty ones, form the attribution of the text that
 * follows.
 */
export function countAttributionLines(text: readonly string[]): number {
  const lines = text.slice(-HEAD_LINES);
  let end = lines.length;
  while (end > 0 && isBlank(lines[end - 1])) end--;
  for (let count = 1; count <= Math.min(ATTRIBUTION_LINES, end); count++) {
    const taken = lines.slice(end - count, end);
    if (taken.some(isBlank) || taken[0]?.startsWith('>')) break;
    const before = lines[end - count - 1];
    const words = taken.map(plain).join(' ');
    // The shortest run of lines that is an attribution and a complete sentence.
    if (isAttribution(words) && startsSentence(words, before)) return lines.length - end + count;
  }
  return countHeadLines(lines, end);
}

/** Wrapped lines are long: text below a short line starts a new sentence. */
const BROKEN_LINE_MIN_CHARACTERS = 30;

function startsSentence(words: string, before: string | undefined): boolean {
  if (before === undefined || isBlank(before)) return true;
  const above = plain(before);
  if (/^[<([]/u.test(words)) return false;
  return (
    (INTRODUCES.test(words) && /\p{N}/u.test(words)) ||
    /[.!?…。]$/u.test(above) ||
    above.length < BROKEN_LINE_MIN_CHARACTERS
  );
}

/** Returns how many lines at the end, up to `end` non-empty ones, form a message header. */
function countHeadLines(lines: readonly string[], end: number): number {
  const written = lines.slice(0, end);
  for (let at = 0; at < end; at++) {
    if (findHeadEnd(written, at) !== end) continue;
    let start = at;
    while (start > 0 && (isBlank(lines[start - 1]) || isMark(lines[start - 1] ?? ''))) start--;
    return lines.length - start;
  }
  return 0;
}

const isMark = (line: string): boolean => RULE.test(plain(line)) || dashed(line) !== null;

/**
 * Counts the lines of an attribution above text without quotation marks: it needs an address and a
 * date, as only programs write them.
 */
function isUnmarkedAttribution(lines: readonly string[], end: number): number {
  if (!/[:：]\s*$/u.test(plain(lines[end - 1] ?? '')) || !isBlank(lines[end] ?? '')) return -1;
  for (let count = 1; count <= Math.min(ATTRIBUTION_LINES, end); count++) {
    const taken = lines.slice(end - count, end);
    if (taken.some(line => isBlank(line) || line.startsWith('>'))) return -1;
    const before = lines[end - count - 1];
    const words = taken.map(plain).join(' ');
    const isWhole = before === undefined || isBlank(before);
    if (isWhole && isAttribution(words) && WROTE.test(words) && BRACKETED.test(words) && /\p{N}/u.test(words))
      return end - count;
  }
  return -1;
}

const isProgramLine = (words: string): boolean =>
  WROTE.test(words) && ADDRESS.test(words) && /\p{N}/u.test(words);

function earlierMailAt(lines: readonly string[], at: number): EarlierMail | null {
  const line = lines[at] ?? '';
  const isStart = at === 0 || isBlank(lines[at - 1]) || isMark(lines[at - 1] ?? '');
  const words = dashed(line);
  if (words !== null || RULE.test(plain(line)) || /^_{5,}$/u.test(plain(line))) {
    const next = nextWritten(lines, at + 1);
    const headEnd = findHeadEnd(lines, next);
    const isForward = isForwardMark(line);
    if (headEnd >= 0) return { start: at, textStart: nextWritten(lines, headEnd), isForward };
    const isKnown = words !== null && (ORIGINAL.test(words) || isForward || isProgramLine(words));
    return isKnown ? { start: at, textStart: next, isForward } : null;
  }
  const headEnd = isStart ? findHeadEnd(lines, at) : -1;
  if (headEnd >= 0) {
    const isForward = isForwardMark(lastWritten(lines, at));
    return { start: at, textStart: nextWritten(lines, headEnd), isForward };
  }
  const start = isUnmarkedAttribution(lines, at + 1);
  return start < 0 ? null : { start, textStart: nextWritten(lines, at + 1), isForward: false };
}

function lastWritten(lines: readonly string[], before: number): string {
  let at = before - 1;
  while (at >= 0 && isBlank(lines[at])) at--;
  return plain(lines[at] ?? '');
}

/**
 * Returns the earlier message that ends a text without quotation marks, as Outlook writes it; null
 * when there is none.
 */
export function findEarlierMail(lines: readonly string[]): EarlierMail | null {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('>') || !/[:：]|[-_–—=*~#+]{5}/u.test(line)) continue;
    const found = earlierMailAt(lines, at);
    // Lines with quotation marks below a header are a quotation, and the text between them answers
    // it.
    if (found !== null && !lines[found.textStart]?.startsWith('>')) return found;
  }
  return null;
}

export const isSignatureMark = (line: string): boolean => /^-- ?\r?$/.test(line);

/**
 * Reports whether lines below a quotation are a list footer or a signature rather than an answer.
 */
export function isFooter(lines: readonly string[]): boolean {
  const written = lines.filter(line => !isBlank(line));
  const [first] = written;
  if (first === undefined || written.length > FOOTER_LINES) return false;
  if (isSignatureMark(first)) return true;
  return RULE.test(plain(first)) && written.some(line => WEB.test(line));
}

/** Reports whether a line is only a horizontal rule. */
export const isRule = (line: string): boolean => RULE.test(plain(line));
