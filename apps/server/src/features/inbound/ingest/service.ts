/**
 * Accepts inbound mail: seals it to its recipients and stores it, all or nothing, so that an
 * acknowledgement given afterwards survives any crash (SECURITY.md, P1). Plaintext stays in memory.
 * The SMTP layer calls this and knows nothing about sealing; sealNotice seals mail that the service
 * itself writes.
 */
import { AppError } from '@keyfold/contract/errors';
import { domainOf, normalizeAddress } from '@keyfold/mail/address-form';
import { findHeaderText, readHeaders } from '@keyfold/mail/mime/headers';
import { toMask } from '../../../base/flags.ts';
import { DELETED_MAIL_KEPT_MS, DETACH_MIN_BYTES, PROBABLE_SPAM_POINTS } from '../../../base/limits.ts';
import type { Deps } from '../../../context/deps.ts';
import type { Trx } from '../../../db/pool.ts';
import { getFreeBytes, type Owner } from '../../accounts/users/index.ts';
import {
  lockMailboxes,
  type MailIdentity,
  type NewMail,
  sizeOf,
  storeMails,
} from '../../mailbox/messages/index.ts';
import { type Arrival, hasAnalytics } from '../analytics/index.ts';
import {
  type ArrivalVerdicts,
  type ArrivingMail,
  createInboundFilter,
  type Treatment,
} from '../filters/index.ts';
import { formatOneClick } from '../remote-content/index.ts';
import { type ClearHeaders, formatClearHeaders, fromAddressOf, identityOf } from './clear-headers.ts';
import { createCommitQueue, storeAlone } from './commit-queue.ts';
import { type Filed, filedOf } from './filed.ts';
import type { Onward } from './onward.ts';
import { type SealedContainer, type SealedInbound, sealInbound } from './seal.ts';
import { createSealPool } from './seal-pool.ts';
import { deleteContainers, insertContainers } from './store.ts';

type IngestDeps = Pick<Deps, 'db' | 'blobs' | 'config' | 'logger' | 'masterKey' | 'spamScanner'>;

export type InboundMessage = {
  /** Message as received, with dot-stuffing removed; becomes the payload byte for byte. */
  readonly raw: Uint8Array;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  /** The client's address and its EHLO name. */
  readonly clientIp: string;
  readonly helo: string;
  /** DNS name of the client; looked up on demand. */
  readonly findHostName: ArrivingMail['findHostName'];
  readonly recipients: readonly Owner[];
  /** Value of our Authentication-Results field. */
  readonly authenticationResults: string;
  /** One-click unsubscribe URL that a signature covers (RFC 8058). */
  readonly oneClick: string | null;
  readonly verdicts: ArrivalVerdicts;
  readonly receivedAt: Date;
  /** Additional work stored together with the copy of one of its recipients. */
  readonly onward?: Onward;
};

export type Ingest = {
  /**
   * Stores a message in the mailbox of every recipient, all or none, and returns the folders. A
   * repeated delivery is stored once, and an owner addressed twice gets one copy. Throws AppError
   * `quota_exceeded` when every recipient is over quota, and any error of the database or the blob
   * store; then nothing was stored, or kindOfFailure returns `unavailable`.
   */
  readonly take: (message: InboundMessage) => Promise<Filed>;
  /** Terminates the sealing workers. */
  readonly close: () => Promise<void>;
};

/** Larger bodies are stored in their own transaction, so that no small message waits for them. */
const ALONE_MIN_BYTES = 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export function createIngest(deps: IngestDeps): Ingest {
  const pool = createSealPool();
  const queue = createCommitQueue(deps.db);
  const filter = createInboundFilter(deps);
  return {
    take: async message => {
      const owners = [...new Map(message.recipients.map(owner => [owner.userId, owner])).values()];
      const sealed = await pool.seal(sealInputOf(deps, message.raw, owners, message.receivedAt));
      // Without a Message-ID from the sender, two identical messages may be distinct.
      const receiptDigest = sealed.clear.hasOwnMessageId
        ? deps.masterKey.digest('receipt', message.envelopeFrom, sealed.rawHash)
        : undefined;
      const found = await filter.treat(
        owners.map(({ userId }) => userId),
        message.verdicts,
        () => toArriving(deps, message, sealed.clear),
      );
      const { treatments } = found;
      const { onward } = message;
      const along =
        onward === undefined
          ? null
          : await onward.prepare(
              await isFlagged(filter, deps, message, sealed, treatments.get(onward.userId)),
            );
      const delivery = {
        ...(onward === undefined || along === null ? {} : { along: { userId: onward.userId, run: along } }),
        mails: owners.map((owner, index) =>
          treated(
            toNewMail(
              sealed,
              index,
              owner,
              resultsFor(deps, message, sealed, owner),
              message.receivedAt,
              receiptDigest,
            ),
            treatments.get(owner.userId),
          ),
        ),
        arrivals: owners.map(owner => toArrival(message, owner, treatments.get(owner.userId))),
        limitsBytes: owners.map(({ storageLimitBytes }) => storageLimitBytes),
      };
      if (sealed.containers.length > 0)
        await storeWithContainers(deps, sealed.containers, () => storeAlone(deps.db, delivery));
      else if (sealed.body.length > ALONE_MIN_BYTES) await storeAlone(deps.db, delivery);
      else await queue.store(delivery);
      return filedOf(owners, found);
    },
    close: pool.close,
  };
}

/**
 * Returns whether a reader's filters flag or delete a message. A message that passes the filters,
 * or whose reader has none, is still scored.
 */
async function isFlagged(
  filter: ReturnType<typeof createInboundFilter>,
  deps: IngestDeps,
  message: InboundMessage,
  { clear }: SealedInbound,
  treatment: Treatment | undefined,
): Promise<boolean> {
  if (treatment !== undefined && (treatment.actions.flag || treatment.actions.delete)) return true;
  try {
    return (await filter.score(toArriving(deps, message, clear))) >= PROBABLE_SPAM_POINTS;
  } catch {
    // The error text might quote the message.
    deps.logger.warn('could not score mail to be forwarded');
    return true;
  }
}

/** Returns our verdicts, and the one-click URL of one reader's copy if it may be posted to. */
const resultsFor = (
  { masterKey }: IngestDeps,
  { authenticationResults, oneClick }: InboundMessage,
  { binding }: SealedInbound,
  { userId }: Owner,
): string =>
  oneClick === null
    ? authenticationResults
    : authenticationResults + formatOneClick(masterKey, { userId, binding, url: oneClick });

/**
 * Converts a message to the filters' input. The subject leaves this function only in the form of
 * their result.
 */
function toArriving(
  { config }: IngestDeps,
  { raw, clientIp, helo, findHostName, envelopeFrom, verdicts, receivedAt }: InboundMessage,
  { from, to, cc }: ClearHeaders,
) {
  const fields = readHeaders(raw);
  return {
    raw,
    clientIp,
    helo,
    findHostName,
    ownNames: [config.hostname, ...config.domains],
    receivedAt,
    fields,
    from,
    to,
    cc,
    authors: from.map(({ address }) => normalizeAddress(address)).filter(address => address !== ''),
    envelopeFrom: normalizeAddress(envelopeFrom),
    subject: findHeaderText(fields, 'subject') ?? '',
    verdicts,
  };
}

/** Returns what is counted for one reader's copy, or null when nothing is. */
const toArrival = (
  { verdicts, receivedAt }: InboundMessage,
  { userId, plan }: Owner,
  treatment: Treatment | undefined,
): Arrival | null =>
  hasAnalytics(plan)
    ? { userId, receivedAt, flaggedBy: treatment?.flaggedBy ?? null, dmarc: verdicts.dmarc }
    : null;

/** Applies the actions of a reader's filters to a message. */
function treated(mail: NewMail, wanted: Treatment | undefined): NewMail {
  if (wanted === undefined) return mail;
  const { tags, read, star, archive, flag, delete: deleted } = wanted.actions;
  return {
    ...mail,
    flags: mail.flags | toMask({ read, starred: star, archived: archive, flagged: flag, deleted }),
    tagNames: tags,
    ...(deleted ? { deletedAt: new Date(mail.receivedAt.getTime() + DELETED_MAIL_KEPT_MS) } : {}),
  };
}

/**
 * Seals a message that the service itself writes to a user (a bounce, a notice), ready for
 * storeMails in the caller's transaction. It is small, so no attachment is detached. `isOwnName`:
 * its From uses this server's own name and no other; the sender is then shown as authenticated,
 * because it could not have been forged.
 */
export async function sealNotice(
  deps: Pick<Deps, 'config'>,
  notice: {
    readonly raw: Uint8Array;
    readonly recipient: Owner;
    readonly receivedAt: Date;
    readonly isOwnName?: boolean;
  },
): Promise<NewMail> {
  const { hostname } = deps.config;
  const sealed = await sealInbound({
    ...sealInputOf(deps, notice.raw, [notice.recipient], notice.receivedAt),
    detachMinBytes: Number.POSITIVE_INFINITY,
    isExamined: true,
  });
  return toNewMail(
    sealed,
    0,
    notice.recipient,
    notice.isOwnName ? `${hostname}; dmarc=pass header.from=${hostname}` : `${hostname}; none`,
    notice.receivedAt,
    undefined,
  );
}

/** An existing message that its owner imports, in plaintext. */
export type ImportedMessage = {
  readonly raw: Uint8Array;
  readonly owner: Owner;
  readonly receivedAt: Date;
  readonly flags: Partial<
    Record<'archived' | 'deleted' | 'draft' | 'flagged' | 'read' | 'sent' | 'starred', boolean>
  >;
  /** Start of its retention period if it is among the deleted messages. */
  readonly takenAt: Date;
  readonly tagNames: readonly string[];
  /** Identifies the message when the same user imports it again. */
  readonly receiptDigest: Buffer;
};

export type ImportedMail = {
  /**
   * Seals a message to its owner and stores it, unless `isKnown` finds it under the mailbox's lock.
   * Runs no filters. A message without a Message-ID gets a keyed hash of itself, which is the same
   * each time. `along` runs in the same transaction and receives whether the message was stored; if
   * it throws, nothing was stored. Throws AppError `quota_exceeded`.
   */
  readonly take: (
    message: ImportedMessage,
    isKnown: (trx: Trx, mail: MailIdentity) => Promise<boolean>,
    along: (trx: Trx, isStored: boolean) => Promise<void>,
  ) => Promise<void>;
  /** Terminates the sealing workers. */
  readonly close: () => Promise<void>;
};

export function createImportedMail(deps: Pick<Deps, 'blobs' | 'config' | 'db' | 'masterKey'>): ImportedMail {
  const pool = createSealPool(1);
  /** Returns the message with its own Message-ID, or with one that is the same on every import. */
  const named = (userId: string, sealed: SealedInbound): SealedInbound => {
    if (sealed.clear.hasOwnMessageId) return sealed;
    const name = deps.masterKey.digest('nameless mail', userId, sealed.rawHash).toString('hex').slice(0, 40);
    const domain = domainOf(sealed.clear.messageId);
    return { ...sealed, clear: { ...sealed.clear, messageId: `<${name}@${domain}` } };
  };
  return {
    take: async ({ raw, owner, receivedAt, takenAt, flags, tagNames, receiptDigest }, isKnown, along) => {
      const sealed = named(owner.userId, await pool.seal(sealInputOf(deps, raw, [owner], receivedAt)));
      const results = `${deps.config.hostname}; none`;
      const plain = toNewMail(sealed, 0, owner, results, receivedAt, receiptDigest);
      const mail: NewMail = {
        ...plain,
        flags: plain.flags | toMask(flags),
        tagNames,
        isQuiet: true,
        ...(flags.deleted ? { deletedAt: new Date(takenAt.getTime() + DELETED_MAIL_KEPT_MS) } : {}),
      };
      const store = () =>
        deps.db.transaction().execute(async trx => {
          const locked = await lockMailboxes(trx, [owner.userId]);
          const isHere = await isKnown(trx, identityOf(sealed.clear));
          if (!isHere && (await getFreeBytes(trx, owner.userId)) < sizeOf(mail))
            throw new AppError('quota_exceeded');
          const stored = isHere ? [] : await storeMails(trx, [mail], locked);
          await along(trx, stored.length > 0);
          return stored.length;
        });
      if (sealed.containers.length > 0) await storeWithContainers(deps, sealed.containers, store);
      else await store();
    },
    close: pool.close,
  };
}

const sealInputOf = (
  { config }: Pick<Deps, 'config'>,
  raw: Uint8Array,
  owners: readonly Owner[],
  receivedAt: Date,
) => ({
  raw,
  recipients: owners.map(({ address, mlkemPublic, dhPublic, fingerprint }) => ({
    email: address,
    mlkemPublic,
    dhPublic,
    fingerprint,
  })),
  detachMinBytes: DETACH_MIN_BYTES,
  hostname: config.hostname,
  receivedAt: receivedAt.toISOString(),
});

const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function toNewMail(
  sealed: SealedInbound,
  index: number,
  owner: Owner,
  authenticationResults: string,
  receivedAt: Date,
  receiptDigest: Buffer | undefined,
): NewMail {
  const wrap = sealed.wraps[index];
  if (wrap === undefined) throw new Error('A recipient has no wrapped message key');
  return {
    userId: owner.userId,
    flags: toMask({ public: true, attachment: sealed.hasAttachments }),
    receivedAt,
    headers: formatClearHeaders(sealed.clear, authenticationResults),
    fromAddress: fromAddressOf(sealed.clear),
    ownAddress: owner.address,
    messageId: sealed.clear.messageId,
    references: sealed.clear.references,
    body: toBuffer(sealed.body),
    summary: toBuffer(sealed.summary),
    binding: toBuffer(sealed.binding),
    ciphertext: toBuffer(wrap.ciphertext),
    encryptedKey: toBuffer(wrap.encryptedKey),
    dhPublic: toBuffer(sealed.dhPublic),
    salt: toBuffer(wrap.salt),
    keyUsed: wrap.keyUsed,
    attachments: sealed.containers.map(({ id, bytes }) => ({ blobId: id, sizeBytes: bytes.length })),
    ...(receiptDigest === undefined ? {} : { receiptDigest }),
  };
}

/**
 * Stores the containers, then the message that refers to them. Rows precede bytes and bytes precede
 * the message, so that the orphan collector finds everything that a crash leaves behind. Without a
 * crash, this function cleans up itself.
 */
async function storeWithContainers(
  { db, blobs }: Pick<Deps, 'db' | 'blobs'>,
  containers: readonly SealedContainer[],
  storeCopies: () => Promise<number>,
): Promise<void> {
  const ids = containers.map(({ id }) => id);
  const forget = async () => {
    for (const id of ids) await blobs.remove(id).catch(() => undefined);
    await deleteContainers(db, ids).catch(() => undefined);
  };
  await insertContainers(
    db,
    containers.map(({ id, bytes }) => ({ id, sizeBytes: bytes.length })),
  );
  let copies: number;
  try {
    for (const { id, bytes } of containers) await blobs.put(id, chunksOf(bytes));
    copies = await storeCopies();
  } catch (error) {
    // After a broken connection it is unknown whether the commit succeeded: bytes that a message
    // refers to must stay.
    if (error instanceof AppError) await forget();
    throw error;
  }
  if (copies === 0) await forget();
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
