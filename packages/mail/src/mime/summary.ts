// The summary that lets a list be shown without bodies (protocol.md section 4.6): made by whoever seals the message,
// out of the parsed message. Sealing it is the crypto room's work.

import type { Mailbox } from '../addresses.ts';
import { isCalendarFile } from '../ics/find.ts';
import { SNIPPET_MAX_CHARACTERS } from '../limits.ts';
import { decodeUnlabelled } from './charsets.ts';
import { htmlToText } from './html-text.ts';
import { contentIdsIn, isShownInline } from './inline-files.ts';
import { type ParsedAttachment, type ParsedMessage, parseMessage } from './parse.ts';
import { readSimpleMessage } from './simple-message.ts';

/** The JSON of a sealed summary; field names are the wire format's. */
export interface MessageSummary {
  subject: string;
  from: Mailbox;
  to: Mailbox[];
  cc: Mailbox[];
  date: string; // ISO 8601
  snippet: string;
  attachments: number;
  invite: boolean;
}

// A list needs a few names, not the thousand of a mailing.
const SUMMARY_MAX_ADDRESSES = 50;
const SUBJECT_MAX_CHARACTERS = 998;
const SNIPPET_SOURCE_MAX_CHARACTERS = 200_000;
/** So much of a text is looked at first: its beginning alone nearly always fills a snippet. */
const SNIPPET_BEGINNING_CHARACTERS = 4_000;
/** What ends a beginning may look different once more follows; it stays out of the snippet. */
const SNIPPET_MARGIN_CHARACTERS = 16;

// Zero-width filler of mailing programs; a joiner inside an emoji is no filler.
const INVISIBLE =
  /(?!\u200d)\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u2800|(?<=\s|^)\u200d+|(?<!\u200d)\u200d+(?=\s|$)/gu;
// Where the earlier mail begins in a reply: the attribution line, or the ruled heading of older programs.
const QUOTE_START =
  /^(?:-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}|_{10,})\s*$/i;
const ATTRIBUTION =
  /^(?:on|am|le|el|il|op|den)\b.{4,200}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|skrev)\s*:$/i;

function withoutQuotes(text: string): string {
  const kept: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    const trimmed = line.trim();
    if (/^-- ?$/.test(line) || QUOTE_START.test(trimmed)) break;
    if (trimmed.startsWith('>') || ATTRIBUTION.test(trimmed)) continue;
    kept.push(trimmed);
  }
  return kept.join(' ');
}

/** At most `limit` UTF-16 units, never half a character. */
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

/** The text without quotes on one line, or as much of its beginning as fills a snippet. */
function lineOfText(plain: string): string {
  const end = plain.lastIndexOf('\n', SNIPPET_BEGINNING_CHARACTERS);
  if (plain.length > SNIPPET_BEGINNING_CHARACTERS && end > 0) {
    const beginning = onOneLine(withoutQuotes(plain.slice(0, end)));
    if (beginning.length >= SNIPPET_MAX_CHARACTERS + SNIPPET_MARGIN_CHARACTERS) return beginning;
  }
  return onOneLine(withoutQuotes(plain));
}

/** The first words of a message on one line: no quoted mail, no signature, no invisible characters. */
export function makeSnippet(text: string | null, html: string | null): string {
  const plain = text?.slice(0, SNIPPET_SOURCE_MAX_CHARACTERS) ?? '';
  const source = html?.slice(0, SNIPPET_SOURCE_MAX_CHARACTERS) ?? '';
  const candidates = [
    () => lineOfText(plain),
    () => lineOfText(htmlToText(source, { dropQuotes: true })),
    // A reply that adds nothing above the quotation still shows something.
    () => onOneLine(plain.replace(/^[> \t]+/gm, '')),
    () => onOneLine(htmlToText(source)),
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
    decodeUnlabelled(attachment.content.subarray(0, 8_192)),
  )?.[1];
  return INVITE_METHODS.has((attachment.method ?? inside ?? '').toUpperCase());
}

/** Attachments a reader would call files: not pictures inside the HTML, not an invitation, in whose place a card stands. */
export function countFiles(attachments: readonly ParsedAttachment[], html: string | null): number {
  const shownIds = contentIdsIn(html);
  const isFile = (file: ParsedAttachment) =>
    !isShownInline(file, shownIds) && !(isCalendarFile(file) && (!file.filename || isInvite(file)));
  return attachments.filter(isFile).length;
}

/** The summary of a parsed message; `receivedAt` (ISO 8601) stands in when the message has no readable date. */
export function makeSummary(message: ParsedMessage, receivedAt: string): MessageSummary {
  const isDate = message.date !== null && /^[-+]?\d{4,6}-\d\d-\d\dT/.test(message.date);
  return {
    subject: cut((message.subject ?? '').replace(/\s+/g, ' ').trim(), SUBJECT_MAX_CHARACTERS),
    from: message.from ?? message.sender ?? { name: '', address: '' },
    to: message.to.slice(0, SUMMARY_MAX_ADDRESSES),
    cc: message.cc.slice(0, SUMMARY_MAX_ADDRESSES),
    date: isDate && message.date ? message.date : receivedAt,
    snippet: makeSnippet(message.text, message.html),
    attachments: countFiles(message.attachments, message.html),
    invite: message.attachments.some(isInvite),
  };
}

/** Parses a raw message or payload and makes its summary. Never fails. */
export async function summarise(payload: Uint8Array, receivedAt: string): Promise<MessageSummary> {
  return makeSummary(readSimpleMessage(payload) ?? (await parseMessage(payload)), receivedAt);
}
