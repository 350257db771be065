// The header block that stays readable beside the sealed body (docs/wire-format.md#payload): the
// minimum that routing and threading need. It never contains subject or content. Also holds small
// helpers for writing headers: folding, rejecting line breaks, and new Message-IDs.

import { asciiDomain } from '../address-form.ts';
import { formatAddressList, type Mailbox } from '../addresses.ts';
import { byteString, bytesOfLatin1, concatBytes, randomHex, utf8 } from '../bytes.ts';
import { MailError } from '../errors.ts';
import { findHeader, readHeaderBlock } from './headers.ts';
import { parseStructured } from './parameters.ts';

/** Content-Type of a stored block whose payload is a complete message with its own headers. */
export const WHOLE_MESSAGE_TYPE = 'message/rfc822; hp="cipher"';

/** Stored Subject in place of the real one. RFC 9788 §3.2.1. */
export const HIDDEN_SUBJECT = '[...]';

/**
 * Data for the stored block; `date` is ISO 8601 or a Date, and Message-IDs include angle brackets.
 */
export type StoredHeaderInput = {
  from: readonly Mailbox[];
  to?: readonly Mailbox[];
  cc?: readonly Mailbox[];
  date?: Date | string | null;
  messageId?: string | null;
  inReplyTo?: string | null;
  references?: readonly string[];
  authenticationResults?: readonly string[];
};

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a date for a Date field, in UTC. RFC 5322 §3.3. */
export function formatDate(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${DAYS[date.getUTCDay()]}, ${two(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]}`;
  return `${day} ${String(date.getUTCFullYear()).padStart(4, '0')} ${time} +0000`;
}

/**
 * Returns header text without control characters: every run of them, line breaks in particular,
 * becomes one blank.
 */
export function sanitizeHeaderValue(value: string): string {
  return value.replace(/\p{Cc}+/gu, ' ').trim();
}

const LINE_SOFT_MAX = 76;

/**
 * Returns one field with its line end, folded at blanks into lines of at most 76 characters where
 * possible. The value must already be encoded; control characters in it become blanks. Fails with
 * `bad_header` on an invalid field name.
 */
export function formatHeader(name: string, value: string): string {
  if (!/^[\u0021-\u0039\u003b-\u007e]+$/.test(name)) throw new MailError('bad_header');
  const lines: string[] = [];
  let line = `${name}:`;
  for (const token of sanitizeHeaderValue(value).split(' ')) {
    if (line.length + 1 + token.length > LINE_SOFT_MAX && line.trim() && line !== `${name}:`) {
      lines.push(line);
      line = '';
    }
    line += ` ${token}`;
  }
  lines.push(line);
  return `${lines.join('\r\n')}\r\n`;
}

/**
 * Returns a Message-ID at this domain, including angle brackets. Unless `local` is given it is
 * random and reveals neither time nor host.
 */
export function createMessageId(domain: string, local = randomHex(16)): string {
  const host = asciiDomain(domain.trim().toLowerCase());
  if (!/^[a-z0-9.-]+$/.test(host)) throw new MailError('bad_address');
  return `<${local}@${host}>`;
}

function messageIds(value: string | null | undefined): string {
  return (value?.match(/<[^<>\s]+>/g) ?? []).join(' ');
}

/**
 * Returns the stored header block, with CRLF after every field, without the blank line that
 * separates it from the payload.
 */
export function buildStoredHeaders(input: StoredHeaderInput): string {
  let block = '';
  const add = (name: string, value: string | null | undefined) => {
    if (value) block += formatHeader(name, value);
  };
  for (const result of input.authenticationResults ?? []) add('Authentication-Results', result);
  add('From', formatAddressList(input.from));
  add('To', formatAddressList(input.to ?? []));
  add('Cc', formatAddressList(input.cc ?? []));
  const date = input.date ? new Date(input.date) : null;
  if (date && !Number.isNaN(date.getTime())) add('Date', formatDate(date));
  add('Message-ID', messageIds(input.messageId));
  add('In-Reply-To', messageIds(input.inReplyTo));
  add('References', messageIds(input.references?.join(' ')));
  add('Subject', HIDDEN_SUBJECT);
  add('Content-Type', WHOLE_MESSAGE_TYPE);
  return block;
}

/** Reports whether a stored block declares its payload a complete message. */
export function isWholeMessage(storedHeaders: string): boolean {
  const { fields } = readHeaderBlock(utf8(storedHeaders));
  const type = parseStructured(findHeader(fields, 'content-type')?.value ?? '');
  return type.value === 'message/rfc822' && type.params.get('hp')?.toLowerCase() === 'cipher';
}

/**
 * Reports whether a payload has its own From; without one, the From of its raw message comes from
 * the server.
 */
export const namesSender = (payload: Uint8Array): boolean =>
  readHeaderBlock(payload).fields.some(field => field.key === 'from');

/** After the end of the previous line; \r\n is one line end. */
const EMPTY_LINE = /(?:^|\r\n|(?<!\r)\n|\r(?!\n))(?:\r\n|(?<!\r)\n|\r(?!\n))/;

/**
 * Returns the raw message of a stored message (docs/wire-format.md#payload): the payload itself
 * when it is a complete message, whose headers then win; otherwise the stored headers, an empty
 * line and the payload. The stored headers do not decide alone because the server can change them:
 * a payload that names its sender is complete, and an empty line among the stored headers does not
 * begin content.
 */
export function assembleRaw(storedHeaders: string, payload: Uint8Array): Uint8Array {
  if (isWholeMessage(storedHeaders) || namesSender(payload)) return payload;
  const [block = ''] = storedHeaders.replace(/[\r\n]+$/, '').split(EMPTY_LINE, 1);
  return concatBytes([utf8(block), bytesOfLatin1(block ? '\r\n\r\n' : '\r\n'), payload]);
}

/**
 * Returns the Authentication-Results of a stored block: the only trustworthy ones, because those
 * inside a message are under the sender's control.
 */
export function readAuthenticationResults(storedHeaders: string): string[] {
  return readHeaderBlock(utf8(storedHeaders))
    .fields.filter(field => field.key === 'authentication-results')
    .map(field => field.value);
}

/** Returns the line end that a raw message uses, for fields added to it. */
export function lineEndOf(raw: Uint8Array): string {
  const head = byteString(raw.subarray(0, 4096));
  return /(?<!\r)\n/.test(head) && !head.includes('\r\n') ? '\n' : '\r\n';
}
