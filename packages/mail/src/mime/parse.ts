// The Parsed message of the specification (sections 3 and 4) out of a raw message or a payload. postal-mime does the
// reading; before-parse.ts mends what it would misread, this file takes headers from our own reader, and a message
// whose content cannot be read goes to recover.ts. Nothing here makes HTML safe to show: that is sanitize/.

import PostalMime, { type Email, type Attachment as PostalAttachment } from 'postal-mime';
import { type Mailbox, parseAddressList } from '../addresses.ts';
import { byteString } from '../bytes.ts';
import { PARSE_MAX_DEPTH, PARSE_MAX_MESSAGES } from '../limits.ts';
import { prepareForParsing } from './before-parse.ts';
import { showLocatedPictures } from './content-location.ts';
import type { ExternalFile } from './external.ts';
import {
  findBodyLabel,
  findHeader,
  findHeaderText,
  findSentDate,
  type HeaderField,
  readHeaders,
} from './headers.ts';
import { joinHtmlParts } from './html-parts.ts';
import { recoverContent, UNREADABLE_TEXT } from './recover.ts';

/** One file of a message. `external` says that the content lies in a sealed container and `content` is empty. */
export type ParsedAttachment = {
  filename: string | null;
  mimeType: string;
  disposition: string | null;
  contentId: string | null; // angle brackets included
  related: boolean; // shown inside the HTML by its Content-ID
  description: string | null;
  method: string | null; // of a calendar part, in capitals
  content: Uint8Array;
  external: { externalId: string; sizeBytes: number; key: string } | null;
  isUnpacked?: true; // an envelope of Outlook whose content stands beside it
};

/** A message as presented; what a field does not say is null or empty. Groups of addresses are flattened. */
export type ParsedMessage = {
  headers: { key: string; name: string; value: string }[];
  from: Mailbox | null;
  sender: Mailbox | null;
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  replyTo: Mailbox[];
  deliveredTo: string | null;
  returnPath: string | null;
  subject: string | null;
  messageId: string | null;
  inReplyTo: string | null;
  references: string | null;
  date: string | null; // ISO 8601, of a Received field when Date is none; or Date as written when nothing is a date
  isZoneless?: true; // Date names no time zone, and is taken for UTC
  html: string | null; // several parts are told apart by html-parts.ts
  text: string | null;
  attachments: ParsedAttachment[];
  recovered: boolean; // text or html come from recovery: the message was damaged
};

// postal-mime refuses deeper or larger ones; recovery then takes over. It sets no limit on the number of parts, and a
// message of nothing but boundaries fills the memory: those with too many (see structure.ts) are never given to it.
const POSTAL_OPTIONS = {
  maxNestingDepth: PARSE_MAX_DEPTH,
  maxHeadersSize: 2 * 1024 * 1024,
  maxRfc822NestingDepth: PARSE_MAX_MESSAGES,
};

const UNREADABLE = { text: UNREADABLE_TEXT, html: undefined, attachments: [] };

function addressesOf(fields: readonly HeaderField[], key: string): Mailbox[] {
  return fields.filter(field => field.key === key).flatMap(field => parseAddressList(field.value));
}

function readAttachment(part: PostalAttachment, files: ReadonlyMap<string, ExternalFile>): ParsedAttachment {
  const content =
    part.content instanceof ArrayBuffer
      ? new Uint8Array(part.content)
      : (part.content as Uint8Array<ArrayBuffer>);
  // A placeholder is told by its random text, which no sender can know.
  const external = content.length < 200 ? files.get(byteString(content).trim()) : undefined;
  return {
    filename: part.filename,
    mimeType: part.mimeType,
    disposition: part.disposition,
    contentId: part.contentId ?? null,
    related: part.related ?? false,
    description: part.description ?? null,
    method: part.method ?? null,
    content: external ? new Uint8Array(0) : content,
    external: external ? { externalId: external.id, sizeBytes: external.sizeBytes, key: external.key } : null,
  };
}

/**
 * Reads a raw message or payload. Never fails: what cannot be read ends as the text
 * '(Email content could not be processed)' or what recovery finds. `isPayload: false` is for raw mail that was not
 * made into a payload (a file opened by the user): references in it are then no references. See
 * [Note: Inert references].
 */
export async function parseMessage(
  raw: Uint8Array,
  options: { isPayload?: boolean } = {},
): Promise<ParsedMessage> {
  const prepared = prepareForParsing(raw, options.isPayload ?? true);
  const fields = readHeaders(prepared.raw, findBodyLabel(raw));
  let email: Pick<Email, 'html' | 'text' | 'attachments'>;
  try {
    email = prepared.isReadable ? await PostalMime.parse(prepared.raw, POSTAL_OPTIONS) : UNREADABLE;
  } catch {
    email = UNREADABLE;
  }
  const message: ParsedMessage = {
    ...readEnvelope(fields),
    ...readTexts(email, prepared.partEnd),
    attachments: email.attachments.map(part => readAttachment(part, prepared.files)),
    recovered: false,
  };
  if (prepared.located !== null && message.html !== null)
    message.html = showLocatedPictures(message.html, message.attachments, prepared.located);
  if ((!message.text && !message.html) || message.text?.includes(UNREADABLE_TEXT)) {
    const fileTypes = new Set(message.attachments.map(({ mimeType }) => mimeType.toLowerCase()));
    const found = recoverContent(byteString(prepared.raw), fileTypes);
    if (found) {
      message.text = found.text ?? (found.html ? null : message.text);
      message.html = found.html ?? message.html;
      message.recovered = true;
    }
  }
  return message;
}

// postal-mime joins the texts of a message; where each of them ends was written into it before.
function readTexts(
  { html, text }: Pick<Email, 'html' | 'text'>,
  partEnd: string | null,
): Pick<ParsedMessage, 'html' | 'text'> {
  if (partEnd === null) return { html: html || null, text: text || null };
  // Plain text was made HTML with its end inside: what closes it there is no part.
  const parts = (html ?? '')
    .split(partEnd)
    .map(part => part.trim())
    .filter(part => !/^(?:\s|<\/\w+>)*$/.test(part));
  return { html: joinHtmlParts(parts) || null, text: withoutEnds(text ?? '', partEnd) || null };
}

// No expression: one that looks for blanks before the end takes quadratic time over a long run of them elsewhere.
function withoutEnds(text: string, partEnd: string): string {
  const pieces = text.split(partEnd);
  const last = pieces.pop() ?? '';
  return pieces.map(withoutLastLineEnds).join('') + last;
}

function withoutLastLineEnds(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= text[end - 2] === '\r' ? 2 : 1;
  return text.slice(0, end);
}

/** Header part of a Parsed message, for a mail whose body cannot be opened (docs/spec-map.md 4.11: headers only). */
export function parseHeadersOnly(headers: Uint8Array, bodyLabel?: string | null): ParsedMessage {
  return {
    ...readEnvelope(readHeaders(headers, bodyLabel)),
    html: null,
    text: null,
    attachments: [],
    recovered: false,
  };
}

// "Doe, John <john@example.org>" without quotes is two entries; the one that can be checked is the author.
const authorOf = (found: readonly Mailbox[]): Mailbox | null =>
  found.find(({ address }) => address !== '') ?? found[0] ?? null;

function readEnvelope(
  fields: readonly HeaderField[],
): Omit<ParsedMessage, 'html' | 'text' | 'attachments' | 'recovered'> {
  const sent = findSentDate(fields);
  const text = (key: string) => findHeaderText(fields, key) || null;
  return {
    headers: fields.map(({ key, name, value }) => ({ key, name, value })),
    from: authorOf(addressesOf(fields, 'from')),
    sender: addressesOf(fields, 'sender')[0] ?? null,
    to: addressesOf(fields, 'to'),
    cc: addressesOf(fields, 'cc'),
    bcc: addressesOf(fields, 'bcc'),
    replyTo: addressesOf(fields, 'reply-to'),
    deliveredTo: addressesOf(fields, 'delivered-to')[0]?.address || null,
    returnPath: addressesOf(fields, 'return-path')[0]?.address || null,
    subject: text('subject'),
    messageId: text('message-id'),
    inReplyTo: text('in-reply-to'),
    references: text('references'),
    date: sent?.iso ?? findHeader(fields, 'date')?.value ?? null,
    ...(sent?.hasZone === false ? { isZoneless: true as const } : {}),
  };
}
