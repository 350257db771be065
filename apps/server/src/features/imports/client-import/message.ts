/**
 * One message of an import as it came, turned into a mail for the mailbox. Its clear headers are read and written anew, as
 * those of arriving mail are: nothing that does not belong there stays, and no verdict about its sender that is not ours.
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

/** What is known of a message before its mailbox is locked. */
export type ReadMessage = {
  readonly clear: ClearHeaders;
  readonly body: Buffer;
  readonly summary: Buffer;
  readonly keyUsed: string;
  /** Containers that it names, each once. */
  readonly containerIds: readonly string[];
  readonly given: Given;
};

/** Checks one message of a batch. Throws message_refused, naming the field; not_found for what is no container's id. */
export function readMessage(given: Given, index: number, hostname: string): ReadMessage {
  const at = `messages.${index}`;
  const clear = readClearHeaders(readHeaders(Buffer.from(`${given.headers}\r\n\r\n`, 'utf8')), hostname);
  if (!clear.hasOwnMessageId)
    throw new AppError('message_refused', {
      problems: [{ path: `${at}.headers`, message: 'There is no Message-ID' }],
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

/** The user's address that a message came to, or was sent from: the main one when it names none of theirs. */
function ownAddressOf({ clear, given }: ReadMessage, own: readonly string[]): string {
  const readers = [...clear.to, ...clear.cc].map(({ address }) => normalizeAddress(address));
  const named = given.flags.sent || given.flags.draft ? [fromAddressOf(clear)] : readers;
  return named.find(address => own.includes(address)) ?? own[0] ?? '';
}

/** The mail to be stored. */
export function toImportedMail(message: ReadMessage, context: MailContext): NewMail {
  const { clear, given, body, summary } = message;
  const { now } = context;
  const received = Math.min(Math.max(0, Date.parse(given.received_at)), now.getTime());
  return {
    userId: context.userId,
    flags: toMask({ ...given.flags, public: true }),
    receivedAt: new Date(received),
    // That nothing was checked; readers also tell by it that the mail was not written here, whatever its flags say.
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
