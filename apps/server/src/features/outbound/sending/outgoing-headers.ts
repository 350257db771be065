/**
 * Header of an outgoing external message. It is rebuilt, not edited: the server writes who sends
 * which message to whom and when, copies the composer's other fields one by one, and drops traces
 * that only mail servers may add. It never contains Bcc.
 */
import { AppError } from '@keyfold/contract/errors';
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { formatAddressList, isValidAddress, type Mailbox, parseAddressList } from '@keyfold/mail/addresses';
import { type HeaderField, readHeaderBlock } from '@keyfold/mail/mime/headers';
import { formatDate, formatHeader } from '@keyfold/mail/mime/stored-headers';
import { FEEDBACK_FIELD } from '../../reports/received-reports/index.ts';

export type Outgoing = {
  /** The only address allowed in From, normalized. */
  readonly usedAddress: string;
  /** Envelope lists, normalized. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly date: Date;
  readonly messageId: string;
  /** Identifies the message in complaints, see [Note: Feedback IDs]. */
  readonly feedbackId: string;
};

/** Fields that the server writes. */
const OURS = new Set(['from', 'to', 'cc', 'date', 'message-id', 'mime-version']);
/**
 * Fields that a sender must not set: delivery traces, authentication results, signatures, other
 * senders, Bcc.
 */
const FORBIDDEN = new Set([
  'apparently-to',
  'authentication-results',
  'bcc',
  'cfbl-address',
  'cfbl-feedback-id',
  'content-length',
  'delivered-to',
  'dkim-signature',
  'domainkey-signature',
  'envelope-to',
  'errors-to',
  'hp-outer',
  'lines',
  'received',
  'received-spf',
  'return-path',
  'sender',
  'status',
  'x-original-to',
  'x-status',
]);
const FORBIDDEN_FAMILIES = /^(?:arc|resent|x-keyfold|x-envelope)-/;
/** Fields that may occur only once; the first is kept. RFC 5322 §3.6, RFC 2045. */
const SINGLE = new Set([
  'content-description',
  'content-disposition',
  'content-id',
  'content-transfer-encoding',
  'content-type',
  'in-reply-to',
  'references',
  'reply-to',
  'subject',
]);
const FIELD_NAME = /^[\u0021-\u0039\u003b-\u007e]+$/;

const refuse = (message: string): AppError =>
  new AppError('message_refused', { problems: [{ path: 'body', message }] });

const mailboxesIn = (fields: readonly HeaderField[], key: string): Mailbox[] =>
  fields.filter(field => field.key === key).flatMap(field => parseAddressList(field.value));

function authorOf(fields: readonly HeaderField[], usedAddress: string): Mailbox {
  const [author, ...others] = mailboxesIn(fields, 'from');
  const isOne = author !== undefined && others.length === 0;
  if (!isOne || fields.filter(field => field.key === 'from').length !== 1)
    throw refuse('From must name exactly one sender');
  if (normalizeAddress(author.address) !== usedAddress) throw refuse('From is not the address used to send');
  return { name: author.name, address: usedAddress };
}

/**
 * Returns the composer's list without Bcc recipients, completed with all envelope recipients of
 * this kind.
 */
function listFor(written: readonly Mailbox[], envelope: readonly string[], hidden: ReadonlySet<string>) {
  const shown = written
    .map(({ name, address }) => ({ name, address: normalizeAddress(address) }))
    .filter(({ address }) => isValidAddress(address) && !hidden.has(address));
  const known = new Set(shown.map(({ address }) => address));
  return [
    ...shown,
    ...envelope.filter(address => !known.has(address)).map(address => ({ name: '', address })),
  ];
}

function isCopied(field: HeaderField, raw: Uint8Array, seen: Set<string>): boolean {
  const { key, name } = field;
  if (!FIELD_NAME.test(name) || OURS.has(key) || FORBIDDEN.has(key) || FORBIDDEN_FAMILIES.test(key))
    return false;
  // A first line that starts with whitespace would continue the field that the server writes before
  // it.
  if (raw[field.start] === 0x20 || raw[field.start] === 0x09) return false;
  if (SINGLE.has(key) && seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** Returns the field's bytes with exactly one line end. */
function bytesOf(field: HeaderField, raw: Uint8Array): Buffer {
  let end = field.end;
  while (end > field.start && (raw[end - 1] === 0x0a || raw[end - 1] === 0x0d)) end--;
  return Buffer.concat([raw.subarray(field.start, end), Buffer.from('\r\n')]);
}

/**
 * Returns the header for a message whose lines end in CRLF, including the blank line, and the
 * offset of the body. Throws message_refused when From is not the sender.
 */
export function rebuildHeader(
  raw: Uint8Array,
  outgoing: Outgoing,
): { readonly header: Buffer; readonly bodyStart: number } {
  const { fields, bodyStart } = readHeaderBlock(raw);
  const hidden = new Set(outgoing.bcc);
  const to = listFor(mailboxesIn(fields, 'to'), outgoing.to, hidden);
  const cc = listFor(mailboxesIn(fields, 'cc'), outgoing.cc, hidden);
  const own = [
    formatHeader('From', formatAddressList([authorOf(fields, outgoing.usedAddress)])),
    // RFC 5322 allows a message without recipient fields, but many receivers treat it as spam.
    to.length + cc.length === 0 ? 'To: undisclosed-recipients:;\r\n' : '',
    to.length === 0 ? '' : formatHeader('To', formatAddressList(to)),
    cc.length === 0 ? '' : formatHeader('Cc', formatAddressList(cc)),
    formatHeader('Date', formatDate(outgoing.date)),
    formatHeader('Message-ID', outgoing.messageId),
    'MIME-Version: 1.0\r\n',
    formatHeader('CFBL-Address', `abuse@${domainOf(outgoing.usedAddress)}; report=arf`),
    formatHeader(FEEDBACK_FIELD, outgoing.feedbackId),
  ];
  const seen = new Set<string>();
  const copied = fields.filter(field => isCopied(field, raw, seen)).map(field => bytesOf(field, raw));
  return { header: Buffer.concat([Buffer.from(own.join('')), ...copied, Buffer.from('\r\n')]), bodyStart };
}
