/**
 * The part of an inbound message that stays readable beside its sealed body
 * (docs/wire-format.md#payload): the stored header block and the few columns that routing,
 * threading and lists need. All of it is bounded, because every list response includes it. The
 * subject is never part of it. No message content can make this fail.
 */
import { asciiDomain, normalizeAddress } from '@keyfold/mail/address-form';
import { type Mailbox, parseAddressList } from '@keyfold/mail/addresses';
import { findHeader, findIsoDate, type HeaderField, parseReferences } from '@keyfold/mail/mime/headers';
import { buildStoredHeaders, createMessageId } from '@keyfold/mail/mime/stored-headers';
import type { MailIdentity } from '../../mailbox/messages/index.ts';

/** Maximum number of addresses per field kept readable; the sealed message has all of them. */
const ADDRESSES_MAX = 50;
/** Maximum length of a display name kept readable, in UTF-16 units. */
const NAME_MAX_CHARACTERS = 200;
/** Maximum length of an address kept readable; a longer one cannot be replied to. */
const ADDRESS_MAX_CHARACTERS = 320;
/**
 * Maximum length of a Message-ID that is kept unchanged. RFC 5322 §2.1.1 bounds the line that holds
 * it.
 */
const MESSAGE_ID_MAX_CHARACTERS = 995;
/** Maximum number of Message-IDs kept from References: the oldest and the nearest. */
const REFERENCES_MAX = 40;

/** Control characters: PostgreSQL rejects NUL in text, and no identifier or name contains any. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is removed
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]+/g;

export type ClearHeaders = {
  readonly from: readonly Mailbox[];
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  readonly date: string | null;
  readonly messageId: string;
  /**
   * Whether the sender supplied the Message-ID. A generated one cannot identify a repeated
   * delivery.
   */
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

/**
 * Keeps the oldest reference and the nearest ones; threading does not need the middle of a very
 * long conversation.
 */
const boundReferences = (ids: readonly string[]): string[] =>
  ids.length <= REFERENCES_MAX ? [...ids] : [...ids.slice(0, 1), ...ids.slice(1 - REFERENCES_MAX)];

/**
 * Reads the clear part of a message's header fields. `hostname` is the domain of the Message-ID
 * generated for a message without one.
 */
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

/** Returns the stored header block, with CRLF line endings. */
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

/**
 * Returns the address that a message counts as coming from, normalized; empty when it names none.
 */
export const fromAddressOf = (headers: ClearHeaders): string =>
  normalizeAddress(headers.from.find(({ address }) => address !== '')?.address ?? '');

/** Returns the identity by which a message is recognized when it arrives again. */
export const identityOf = (headers: ClearHeaders): MailIdentity => ({
  messageId: headers.messageId,
  fromAddress: fromAddressOf(headers),
  date: headers.date,
});
