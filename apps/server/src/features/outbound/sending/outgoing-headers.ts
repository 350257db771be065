/**
 * The header of a message that leaves for the outside. It is rebuilt, not edited: what says who, when and which message
 * is the server's word, what else the composer wrote is copied field by field, and traces that only mail servers may
 * leave are dropped. Nobody's Bcc stands in it.
 */
import { AppError } from '@keyfold/contract/errors';
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { formatAddressList, isValidAddress, type Mailbox, parseAddressList } from '@keyfold/mail/addresses';
import { type HeaderField, readHeaderBlock } from '@keyfold/mail/mime/headers';
import { formatDate, formatHeader } from '@keyfold/mail/mime/stored-headers';
import { FEEDBACK_FIELD } from '../../reports/received-reports/index.ts';

export type Outgoing = {
  /** The one address that may stand in From, normalised. */
  readonly usedAddress: string;
  /** Envelope lists, normalised. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly date: Date;
  readonly messageId: string;
  /** The mark by which a complaint about the message is known, see [Note: Marks of mail]. */
  readonly feedbackId: string;
};

/** Fields that are ours to write. */
const OURS = new Set(['from', 'to', 'cc', 'date', 'message-id', 'mime-version']);
/** Fields that must not come from a sender: traces of delivery, verdicts, signatures, other senders, hidden readers. */
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
/** Fields that may stand once; the first is kept. RFC 5322 §3.6, RFC 2045. */
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

/** The composer's list without hidden readers, and with every envelope recipient of this kind in it. */
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
  // A first line that begins with a blank would continue the field that we write before it.
  if (raw[field.start] === 0x20 || raw[field.start] === 0x09) return false;
  if (SINGLE.has(key) && seen.has(key)) return false;
  seen.add(key);
  return true;
}

/** The field's bytes with exactly one line end. */
function bytesOf(field: HeaderField, raw: Uint8Array): Buffer {
  let end = field.end;
  while (end > field.start && (raw[end - 1] === 0x0a || raw[end - 1] === 0x0d)) end--;
  return Buffer.concat([raw.subarray(field.start, end), Buffer.from('\r\n')]);
}

/**
 * The header for this message, whose lines end in CRLF, with the blank line after it, and where the body starts. Throws
 * message_refused when From is not the sender.
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
    // RFC 5322 allows no recipient field at all, but many readers take a message without one for spam.
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
