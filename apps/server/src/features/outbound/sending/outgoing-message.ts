/**
 * Validates the message in a send request: sealed body and summary, content type, and the messages
 * it replies to. Also builds the header block that stays readable next to the body
 * (docs/wire-format.md#payload), which never contains the subject.
 */
import { createHash } from 'node:crypto';
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { formatAddressList, type Mailbox } from '@keyfold/mail/addresses';
import {
  formatDate,
  formatHeader,
  HIDDEN_SUBJECT,
  isWholeMessage,
  WHOLE_MESSAGE_TYPE,
} from '@keyfold/mail/mime/stored-headers';
import { readSealedBody, readSealedSummary } from '../../mailbox/messages/index.ts';

export type SendInput = InputOf<typeof api.sending.send_private>;

export type OutgoingMessage = {
  readonly body: Buffer;
  /** SHA-256 of the body (docs/crypto.md#message). */
  readonly binding: Buffer;
  readonly summary: Buffer;
  readonly contentType: string;
  /** Whether the payload is a complete message with its own headers. */
  readonly isWhole: boolean;
  readonly inReplyTo: string | null;
  readonly references: readonly string[];
};

const refuse = (path: string, message: string): AppError =>
  new AppError('message_refused', { problems: [{ path, message }] });

const PRINTABLE_TYPE = /^[A-Za-z0-9!#$&^_.+-]+\/[A-Za-z0-9!#$&^_.+-]+(?:\s*;[\u0020-\u007e]*)?$/;
/** RFC 2046 §5.1.1. */
const BOUNDARY = /^[A-Za-z0-9'()+_,\-./:=? ]{0,69}[A-Za-z0-9'()+_,\-./:=?]$/;

function readContentType(contentType: string, boundary: string | undefined): string {
  // A line break here would let the sender inject a header field.
  if (!PRINTABLE_TYPE.test(contentType)) throw refuse('content_type', 'Invalid content type');
  if (boundary === undefined || boundary === '' || /;\s*boundary\s*=/i.test(contentType)) return contentType;
  if (!BOUNDARY.test(boundary)) throw refuse('boundary', 'Invalid boundary');
  return `${contentType}; boundary="${boundary}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is refused
const CONTROLS = /[\u0000-\u001f\u007f]/;

function readMessageId(path: string, id: string): string {
  if (CONTROLS.test(id)) throw refuse(path, 'Invalid Message-ID');
  return `<${id.replace(/^<|>$/g, '')}>`;
}

/** Validates the message's own fields. Throws message_refused. */
export function readOutgoingMessage(input: SendInput): OutgoingMessage {
  const body = readSealedBody(input.body);
  const contentType = readContentType(input.content_type, input.boundary);
  const isWhole = isWholeMessage(`Content-Type: ${contentType}\r\n`);
  return {
    body,
    binding: createHash('sha256').update(body).digest(),
    summary: readSealedSummary(input.summary),
    contentType: isWhole ? WHOLE_MESSAGE_TYPE : contentType,
    isWhole,
    inReplyTo: input.in_reply_to ? readMessageId('in_reply_to', input.in_reply_to) : null,
    references: (input.references ?? []).map((id, index) => readMessageId(`references.${index}`, id)),
  };
}

/** Returns the messages that this one replies to, oldest first. */
export const threadOf = ({ inReplyTo, references }: OutgoingMessage): string[] =>
  inReplyTo === null || references.includes(inReplyTo) ? [...references] : [...references, inReplyTo];

export type BlockInput = {
  readonly from: Mailbox;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Only for the sender's own copy. */
  readonly bcc: readonly string[];
  readonly date: Date;
  readonly messageId: string;
};

const listOf = (addresses: readonly string[]): string =>
  formatAddressList(addresses.map(address => ({ name: '', address })));

/** Returns the stored header block, with CRLF line ends. */
export function buildBlock(mail: OutgoingMessage, input: BlockInput): string {
  const fields: readonly (readonly [string, string])[] = [
    ['From', formatAddressList([input.from])],
    ['To', listOf(input.to)],
    ['Cc', listOf(input.cc)],
    ['Bcc', listOf(input.bcc)],
    ['Date', formatDate(input.date)],
    ['Message-ID', input.messageId],
    ['In-Reply-To', mail.inReplyTo ?? ''],
    ['References', mail.references.join(' ')],
    ['Subject', HIDDEN_SUBJECT],
    ['Content-Type', mail.contentType],
  ];
  return fields.flatMap(([name, value]) => (value === '' ? [] : [formatHeader(name, value)])).join('');
}
