// The summary that lets clients show lists without bodies (docs/wire-format.md#summaries). The
// sealer of a message makes it from the parsed message; the crypto package seals it.

import type { Mailbox } from '../addresses.ts';
import { isCalendarFile } from '../ics/find.ts';
import { SNIPPET_MAX_CHARACTERS } from '../limits.ts';
import { decodeUnlabeled } from './charsets.ts';
import { htmlToText } from './html-text.ts';
import { contentIdsIn, isShownInline } from './inline-files.ts';
import { type ParsedAttachment, type ParsedMessage, parseMessage } from './parse.ts';
import { countAttributionLines, findEarlierMail, isRule, isSignatureMark } from './reply-heads.ts';
import { readSimpleMessage } from './simple-message.ts';

/** JSON of a sealed summary; the wire format fixes the field names. */
export type MessageSummary = {
  subject: string;
  from: Mailbox;
  to: Mailbox[];
  cc: Mailbox[];
  date: string; // ISO 8601
  snippet: string;
  attachments: number;
  invite: boolean;
};

// A list needs a few names, not the thousand of a mailing.
const SUMMARY_MAX_ADDRESSES = 50;
/** A header may contain a megabyte of names, and a list shows the summaries of many messages. */
const NAME_MAX_CHARACTERS = 200;
const PEOPLE_MAX_CHARACTERS = 8_000;
/** Longer text is not an address; truncated, it would be another person's. */
const ADDRESS_SHOWN_MAX_CHARACTERS = 1_000;
const SUBJECT_MAX_CHARACTERS = 998;
const SNIPPET_SOURCE_MAX_CHARACTERS = 200_000;
/**
 * Number of characters of a text examined first: its beginning alone nearly always fills a snippet.
 */
const SNIPPET_BEGINNING_CHARACTERS = 4_000;
/** The end of a beginning may change once more text follows, so it stays out of the snippet. */
const SNIPPET_MARGIN_CHARACTERS = 16;

// Zero-width filler of mailing programs; a joiner inside an emoji is not filler.
const INVISIBLE =
  /(?![\u200d\ufe00-\ufe0f\u{e0000}-\u{e01ef}])[\p{Cf}\p{Default_Ignorable_Code_Point}]|\u2800|(?<=\s|^)\u200d+|(?<!\u200d)\u200d+(?=\s|$)/gu;
/**
 * Returns the sender's own text: without quotations, attributions, rules, and everything below the
 * signature separator.
 */
function withoutQuotes(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const own = lines.slice(0, findEarlierMail(lines)?.start);
  const kept: string[] = [];
  let isQuoted = false;
  for (const line of own) {
    if (line.startsWith('>')) {
      if (!isQuoted) kept.length -= countAttributionLines(kept);
      isQuoted = true;
      continue;
    }
    isQuoted = false;
    if (isSignatureMark(line)) break;
    kept.push(line);
  }
  return kept
    .filter(line => !isRule(line))
    .map(line => line.trim())
    .join(' ');
}

/** Returns the words of the earlier message, for a reply that adds nothing to it. */
function quotedWords(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  const kept: string[] = [];
  let isQuoted = false;
  for (const line of lines.slice(findEarlierMail(lines)?.textStart ?? 0)) {
    if (line.startsWith('>') && !isQuoted) kept.length -= countAttributionLines(kept);
    isQuoted = line.startsWith('>');
    kept.push(line.replace(/^[> \t]+/, ''));
  }
  return kept.filter(line => !isRule(line)).join(' ');
}

/** Truncates to at most `limit` UTF-16 units without splitting a character. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit).trimEnd();
}

const onOneLine = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Returns the text without quotes on one line, or as much of its beginning as fills a snippet. */
function lineOfText(plain: string): string {
  const end = plain.lastIndexOf('\n', SNIPPET_BEGINNING_CHARACTERS);
  if (plain.length > SNIPPET_BEGINNING_CHARACTERS && end > 0) {
    const beginning = onOneLine(withoutQuotes(plain.slice(0, end)));
    if (beginning.length >= SNIPPET_MAX_CHARACTERS + SNIPPET_MARGIN_CHARACTERS) return beginning;
  }
  return onOneLine(withoutQuotes(plain));
}

/**
 * Returns the first words of a message on one line: no quoted messages, signature or invisible
 * characters.
 */
export function makeSnippet(text: string | null, html: string | null): string {
  const plain = text?.slice(0, SNIPPET_SOURCE_MAX_CHARACTERS) ?? '';
  const source = html?.slice(0, SNIPPET_SOURCE_MAX_CHARACTERS) ?? '';
  const candidates = [
    () => lineOfText(plain),
    () => lineOfText(htmlToText(source, { dropQuotes: true })),
    // A reply with no text above the quotation still shows something.
    () => onOneLine(quotedWords(plain)),
    () => onOneLine(quotedWords(htmlToText(source))),
    () => onOneLine(plain),
  ];
  for (const candidate of candidates) {
    const line = candidate();
    if (line) return cut(line, SNIPPET_MAX_CHARACTERS);
  }
  return '';
}

const INVITE_METHODS = new Set(['REQUEST', 'CANCEL', 'ADD', 'COUNTER', 'DECLINECOUNTER', 'REPLY']);

function isInvite(attachment: ParsedAttachment): boolean {
  if (!isCalendarFile(attachment)) return false;
  const inside = /^METHOD[^:\r\n]*:([A-Z]+)/im.exec(
    decodeUnlabeled(attachment.content.subarray(0, 8_192)),
  )?.[1];
  return INVITE_METHODS.has((attachment.method ?? inside ?? '').toUpperCase());
}

/**
 * Counts the attachments that a reader would call files: not pictures inside the HTML, and not an
 * invitation, which is shown as a card.
 */
export function countFiles(attachments: readonly ParsedAttachment[], html: string | null): number {
  const shownIds = contentIdsIn(html);
  const isFile = (file: ParsedAttachment) =>
    !isShownInline(file, shownIds) && !(isCalendarFile(file) && (!file.filename || isInvite(file)));
  return attachments.filter(isFile).length;
}

const personOf = ({ name, address }: Mailbox): Mailbox => ({
  name: cut(name, NAME_MAX_CHARACTERS),
  address: address.length > ADDRESS_SHOWN_MAX_CHARACTERS ? '' : address,
});

function peopleOf(people: readonly Mailbox[]): Mailbox[] {
  let left = PEOPLE_MAX_CHARACTERS;
  return people
    .slice(0, SUMMARY_MAX_ADDRESSES)
    .map(personOf)
    .filter(({ name, address }) => {
      left -= name.length + address.length;
      return left >= 0 && name + address !== '';
    });
}

/** Returns the people of a message in the form of its summary. */
export const summaryPeople = ({
  from,
  to,
  cc,
}: {
  readonly from: Mailbox | null;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
}): Pick<MessageSummary, 'from' | 'to' | 'cc'> => ({
  from: personOf(from ?? { name: '', address: '' }),
  to: peopleOf(to),
  cc: peopleOf(cc),
});

/**
 * Returns the summary of a parsed message; `receivedAt` (ISO 8601) is the date when the message has
 * no readable one.
 */
export function makeSummary(message: ParsedMessage, receivedAt: string): MessageSummary {
  const isDate = message.date !== null && /^[-+]?\d{4,6}-\d\d-\d\dT/.test(message.date);
  return {
    subject: cut((message.subject ?? '').replace(/\s+/g, ' ').trim(), SUBJECT_MAX_CHARACTERS),
    ...summaryPeople({ from: message.from ?? message.sender, to: message.to, cc: message.cc }),
    date: isDate && message.date ? message.date : receivedAt,
    snippet: makeSnippet(message.text, message.html),
    attachments: countFiles(message.attachments, message.html),
    invite: message.attachments.some(isInvite),
  };
}

/** Parses a raw message or payload and returns its summary. Never fails. */
export async function summarize(payload: Uint8Array, receivedAt: string): Promise<MessageSummary> {
  return makeSummary(readSimpleMessage(payload) ?? (await parseMessage(payload)), receivedAt);
}
