/**
 * What of an inbound message stays readable beside its sealed body (docs/wire-format.md#payload): the stored header block and the
 * few columns that routing, threading and lists need. All of it is bounded, because it rides along with every list. The
 * subject never stands here. Nothing in a message can make this fail.
 */
import { asciiDomain, normalizeAddress } from '@keyfold/mail/address-form';
import { type Mailbox, parseAddressList } from '@keyfold/mail/addresses';
import { findHeader, findIsoDate, type HeaderField, parseReferences } from '@keyfold/mail/mime/headers';
import { buildStoredHeaders, createMessageId } from '@keyfold/mail/mime/stored-headers';
import type { MailIdentity } from '../../mailbox/messages/index.ts';

/** Most addresses of one field that are kept readable; the sealed message has all of them. */
const ADDRESSES_MAX = 50;
/** Longest display name kept readable, in UTF-16 units. */
const NAME_MAX_CHARACTERS = 200;
/** Longest address kept readable; a longer one cannot be answered. */
const ADDRESS_MAX_CHARACTERS = 320;
/** Longest Message-ID that is kept as it is. RFC 5322 §2.1.1 bounds the line that holds it. */
const MESSAGE_ID_MAX_CHARACTERS = 995;
/** Most Message-IDs of References: the oldest, and the nearest. */
const REFERENCES_MAX = 40;

/** Control characters: PostgreSQL refuses NUL in text, and no identifier or name has any. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is removed
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

export type ClearHeaders = {
  readonly from: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly date: string | null;
  readonly messageId: string;
  /** Whether the sender gave the Message-ID; one of our own making says nothing about a repeated delivery. */
  readonly hasOwnMessageId: boolean;
  readonly inReplyTo: string | null;
  /** References and In-Reply-To, oldest first. */
  readonly references: readonly string[];
};

const clean = (text: string): string => text.replace(CONTROLS, ' ').trim();

const mailboxesOf = (fields: readonly HeaderField[], key: string): Mailbox[] =>
  fields
    .filter(field => field.key === key)
    .flatMap(field => parseAddressList(field.value).slice(0, ADDRESSES_MAX))
    .slice(0, ADDRESSES_MAX)
    .map(({ name, address }) => ({
      name: clean(name).slice(0, NAME_MAX_CHARACTERS),
      address: clean(address),
    }))
    .filter(({ address }) => address.length <= ADDRESS_MAX_CHARACTERS && !/[<>]/.test(address));

const messageIdsOf = (fields: readonly HeaderField[], key: string): string[] =>
  parseReferences(findHeader(fields, key)?.value ?? '')
    .map(id => id.replace(CONTROLS, ''))
    .filter(id => id.length > 2 && id.length <= MESSAGE_ID_MAX_CHARACTERS);

/** The oldest reference and the nearest ones; the middle of an endless conversation is not needed to thread it. */
const boundReferences = (ids: readonly string[]): string[] =>
  ids.length <= REFERENCES_MAX ? [...ids] : [...ids.slice(0, 1), ...ids.slice(1 - REFERENCES_MAX)];

/** Reads the clear part of a message's header fields; `hostname` names us in a Message-ID made for one without. */
export function readClearHeaders(fields: readonly HeaderField[], hostname: string): ClearHeaders {
  const ownMessageId = messageIdsOf(fields, 'message-id')[0];
  const inReplyTo = messageIdsOf(fields, 'in-reply-to')[0] ?? null;
  const references = messageIdsOf(fields, 'references');
  return {
    from: mailboxesOf(fields, 'from'),
    to: mailboxesOf(fields, 'to'),
    cc: mailboxesOf(fields, 'cc'),
    date: findIsoDate(findHeader(fields, 'date')?.value ?? ''),
    messageId: ownMessageId ?? createMessageId(asciiDomain(hostname)),
    hasOwnMessageId: ownMessageId !== undefined,
    inReplyTo,
    references: boundReferences(
      inReplyTo === null || references.includes(inReplyTo) ? references : [...references, inReplyTo],
    ),
  };
}

/** The stored header block, lines ended by CRLF. */
export const formatClearHeaders = (headers: ClearHeaders, authenticationResults: string): string =>
  buildStoredHeaders({
    from: headers.from,
    to: headers.to,
    cc: headers.cc,
    date: headers.date,
    messageId: headers.messageId,
    inReplyTo: headers.inReplyTo,
    references: headers.references,
    authenticationResults: [authenticationResults],
  });

/** The address that a mail counts as coming from, normalised; empty when it names none. */
export const fromAddressOf = (headers: ClearHeaders): string =>
  normalizeAddress(headers.from.find(({ address }) => address !== '')?.address ?? '');

/** What a message is known by when it comes again. */
export const identityOf = (headers: ClearHeaders): MailIdentity => ({
  messageId: headers.messageId,
  fromAddress: fromAddressOf(headers),
  date: headers.date,
});
