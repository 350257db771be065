// The summary that lets a list be shown without bodies (protocol.md section 4.6): made by whoever seals the message,
// out of the parsed message. Sealing it is the crypto room's work.

import type { Mailbox } from '../addresses.ts';
import { SNIPPET_MAX_CHARACTERS } from '../limits.ts';
import { decodeUnlabelled } from './charsets.ts';
import { htmlToText } from './html-text.ts';
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

/** The first words of a message on one line: no quoted mail, no signature, no invisible characters. */
export function makeSnippet(text: string | null, html: string | null): string {
  const plain = text?.slice(0, SNIPPET_SOURCE_MAX_CHARACTERS) ?? '';
  const source = html?.slice(0, SNIPPET_SOURCE_MAX_CHARACTERS) ?? '';
  const candidates = [
    () => withoutQuotes(plain),
    () => withoutQuotes(htmlToText(source, { dropQuotes: true })),
    // A reply that adds nothing above the quotation still shows something.
    () => plain.replace(/^[> \t]+/gm, ''),
    () => htmlToText(source),
  ];
  for (const candidate of candidates) {
    const line = candidate()
      .replace(INVISIBLE, '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim();
    if (line) return cut(line, SNIPPET_MAX_CHARACTERS);
  }
  return '';
}

const INVITE_METHODS = new Set(['REQUEST', 'CANCEL', 'ADD', 'COUNTER', 'DECLINECOUNTER', 'REPLY']);

function isCalendar(attachment: ParsedAttachment): boolean {
  return attachment.mimeType === 'text/calendar' || attachment.mimeType === 'application/ics';
}

function isInvite(attachment: ParsedAttachment): boolean {
  if (!isCalendar(attachment)) return false;
  const inside = /^METHOD[^:\r\n]*:([A-Z]+)/im.exec(
    decodeUnlabelled(attachment.content.subarray(0, 8_192)),
  )?.[1];
  return INVITE_METHODS.has((attachment.method ?? inside ?? '').toUpperCase());
}

/** Attachments a reader would call files: not pictures inside the HTML, not the nameless invitation itself. */
export function countFiles(attachments: readonly ParsedAttachment[]): number {
  return attachments.filter(file => !file.related && !(isCalendar(file) && !file.filename)).length;
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
    attachments: countFiles(message.attachments),
    invite: message.attachments.some(isInvite),
  };
}

/** Parses a raw message or payload and makes its summary. Never fails. */
export async function summarise(payload: Uint8Array, receivedAt: string): Promise<MessageSummary> {
  return makeSummary(readSimpleMessage(payload) ?? (await parseMessage(payload)), receivedAt);
}
