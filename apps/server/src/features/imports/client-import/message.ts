/**
 * Converts one imported message into a mailbox message. Parses and rebuilds its clear headers like
 * those of arriving mail, so that no foreign header and no other server's verdict about the sender
 * remains.
 */

import { createHash } from 'node:crypto';
import type { api, InputOf } from '@keyfold/contract';
import { AppError } from '@keyfold/contract/errors';
import { normalizeAddress } from '@keyfold/mail/address-form';
import { readHeaders } from '@keyfold/mail/mime/headers';
import { toMask } from '../../../base/flags.ts';
import { DELETED_MAIL_KEPT_MS } from '../../../base/limits.ts';
import { isUuid } from '../../../db/uuid.ts';
import {
  type ClearHeaders,
  formatClearHeaders,
  fromAddressOf,
  readClearHeaders,
} from '../../inbound/ingest/index.ts';
import { type NewMail, readSealedBody, readSealedSummary } from '../../mailbox/messages/index.ts';

type Given = InputOf<typeof api.imports.seal>['messages'][number];

/** Data of a message that is known before its mailbox is locked. */
export type ReadMessage = {
  readonly clear: ClearHeaders;
  readonly body: Buffer;
  readonly summary: Buffer;
  readonly keyUsed: string;
  /** Distinct ids of the blobs that it references. */
  readonly containerIds: readonly string[];
  readonly given: Given;
};

/**
 * Validates one message of a batch. Throws message_refused with the name of the field; not_found
 * for an invalid blob id.
 */
export function readMessage(given: Given, index: number, hostname: string): ReadMessage {
  const at = `messages.${index}`;
  const clear = readClearHeaders(readHeaders(Buffer.from(`${given.headers}\r\n\r\n`, 'utf8')), hostname);
  if (!clear.hasOwnMessageId)
    throw new AppError('message_refused', {
      problems: [{ path: `${at}.headers`, message: 'Message-ID missing' }],
    });
  const containerIds = [...new Set(given.attachments)];
  if (!containerIds.every(isUuid)) throw new AppError('not_found');
  return {
    clear,
    body: readSealedBody(given.body, `${at}.body`),
    summary: readSealedSummary(given.summary, `${at}.summary`),
    keyUsed: given.key_used,
    containerIds,
    given,
  };
}

export type MailContext = {
  readonly userId: string;
  readonly hostname: string;
  /** The user's addresses, the main one first. */
  readonly ownAddresses: readonly string[];
  readonly now: Date;
  readonly receiptDigest: Buffer;
  readonly attachments: NonNullable<NewMail['attachments']>;
};

/**
 * Returns the user's address that a message was sent to or from, or the main one when it names none
 * of them.
 */
function ownAddressOf({ clear, given }: ReadMessage, own: readonly string[]): string {
  const readers = [...clear.to, ...clear.cc].map(({ address }) => normalizeAddress(address));
  const named = given.flags.sent || given.flags.draft ? [fromAddressOf(clear)] : readers;
  return named.find(address => own.includes(address)) ?? own[0] ?? '';
}

/** Returns the message to store. */
export function toImportedMail(message: ReadMessage, context: MailContext): NewMail {
  const { clear, given, body, summary } = message;
  const { now } = context;
  const received = Math.min(Math.max(0, Date.parse(given.received_at)), now.getTime());
  return {
    userId: context.userId,
    flags: toMask({ ...given.flags, public: true }),
    receivedAt: new Date(received),
    // States that nothing was authenticated. It also shows readers that the message was not written
    // here, whatever its flags say.
    headers: formatClearHeaders(clear, `${context.hostname}; none`),
    fromAddress: fromAddressOf(clear),
    ownAddress: ownAddressOf(message, context.ownAddresses),
    messageId: clear.messageId,
    references: clear.references,
    body,
    summary,
    binding: createHash('sha256').update(body).digest(),
    ciphertext: null,
    dhPublic: null,
    encryptedKey: Buffer.from(given.encrypted_key, 'base64'),
    salt: Buffer.from(given.salt, 'base64'),
    keyUsed: given.key_used,
    isQuiet: true,
    ...(given.flags.deleted ? { deletedAt: new Date(now.getTime() + DELETED_MAIL_KEPT_MS) } : {}),
    tagNames: given.tags,
    attachments: context.attachments,
    receiptDigest: context.receiptDigest,
  };
}
