// Produces the Parsed message of the specification (sections 3 and 4) from a raw message or a
// payload. postal-mime parses; before-parse.ts repairs what it would misread, headers come from
// Keyfold's own reader, and recover.ts handles messages with unreadable content. Does not make HTML
// safe to show (see sanitize/).

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

/**
 * A file of a message. `external` means that the content is in a sealed container and `content` is
 * empty.
 */
export type ParsedAttachment = {
  filename: string | null;
  mimeType: string;
  disposition: string | null;
  contentId: string | null; // includes angle brackets
  related: boolean; // shown inside the HTML by its Content-ID
  description: string | null;
  method: string | null; // of a calendar part, in uppercase
  content: Uint8Array;
  external: { externalId: string; sizeBytes: number; key: string } | null;
  isUnpacked?: true; // an Outlook envelope whose content is listed beside it
};

/** A message as presented; absent fields are null or empty. Address groups are flattened. */
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
  date: string | null; // ISO 8601, from a Received field if there is no valid Date; Date as written if neither is a date
  isZoneless?: true; // Date names no time zone and is read as UTC
  html: string | null; // html-parts.ts separates several parts
  text: string | null;
  attachments: ParsedAttachment[];
  recovered: boolean; // text or html come from recovery because the message was damaged
};

// postal-mime rejects deeper or larger messages, and recovery takes over. It does not limit the
// number of parts, and a message of nothing but boundaries exhausts the memory: messages with too
// many parts (see structure.ts) are never passed to it.
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
  // A placeholder is recognized by its random text, which no sender can know.
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
 * Parses a raw message or payload. Never fails: unreadable content becomes the text '(Email content
 * could not be processed)' or the result of recovery. `isPayload: false` is for raw mail that was
 * not made into a payload (a file opened by the user): references in it do not count. See [Note:
 * Inert references].
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

// postal-mime joins the texts of a message; end markers inserted before parsing separate them.
function readTexts(
  { html, text }: Pick<Email, 'html' | 'text'>,
  partEnd: string | null,
): Pick<ParsedMessage, 'html' | 'text'> {
  if (partEnd === null) return { html: html || null, text: text || null };
  // The parser converts plain text to HTML with its end marker inside: the closing tags after it
  // are not a part.
  const parts = (html ?? '')
    .split(partEnd)
    .map(part => part.trim())
    .filter(part => !/^(?:\s|<\/\w+>)*$/.test(part));
  return { html: joinHtmlParts(parts) || null, text: withoutEnds(text ?? '', partEnd) || null };
}

// No regular expression: one that matches blanks before the end takes quadratic time on a long run
// of blanks elsewhere.
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

/**
 * Returns the header part of a Parsed message, for a message whose body cannot be opened
 * (docs/spec-map.md 4.11: headers only).
 */
export function parseHeadersOnly(headers: Uint8Array, bodyLabel?: string | null): ParsedMessage {
  return {
    ...readEnvelope(readHeaders(headers, bodyLabel)),
    html: null,
    text: null,
    attachments: [],
    recovered: false,
  };
}

// "Doe, John <john@example.org>" without quotes is two entries; the one with a valid address is the
// author.
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
