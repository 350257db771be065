/**
 * Takes mail in: seals it to its recipients and stores it, all or nothing, so that an acknowledgement given afterwards
 * holds through any crash (SECURITY.md, P1). Plaintext stays in memory. The SMTP room asks here what to do and knows
 * nothing of sealing; mail that the service writes itself is sealed by sealNotice.
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
  /** The message as received, dot-stuffing undone; becomes the payload byte for byte. */
  readonly raw: Uint8Array;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  /** Who handed it over: the address, and the name given with EHLO. */
  readonly clientIp: string;
  readonly helo: string;
  /** What the DNS calls it; asked for when somebody wants to know. */
  readonly findHostName: ArrivingMail['findHostName'];
  readonly recipients: readonly Owner[];
  /** Value of our Authentication-Results field. */
  readonly authenticationResults: string;
  /** The one-click address that a signature covers (RFC 8058). */
  readonly oneClick: string | null;
  readonly verdicts: ArrivalVerdicts;
  readonly receivedAt: Date;
  /** What else happens with it, together with the copy of one of its readers. */
  readonly onward?: Onward;
};

export type Ingest = {
  /**
   * Stores a message in the mailbox of every recipient, all or none, and says where; a repeated delivery is stored once, and an owner
   * named by two addresses gets one copy. Throws AppError `quota_exceeded` when no recipient has room, and whatever the
   * database or the blob store fails with; then nothing was stored, or kindOfFailure says `unavailable`.
   */
  readonly take: (message: InboundMessage) => Promise<Filed>;
  /** Ends the sealing threads. */
  readonly close: () => Promise<void>;
};

/** Bodies larger than this are stored in a transaction of their own, so that no small message waits for them. */
const ALONE_MIN_BYTES = 1024 * 1024;

export function createIngest(deps: IngestDeps): Ingest {
  const pool = createSealPool();
  const queue = createCommitQueue(deps.db);
  const filter = createInboundFilter(deps);
  return {
    take: async message => {
      const owners = [...new Map(message.recipients.map(owner => [owner.userId, owner])).values()];
      const sealed = await pool.seal(sealInputOf(deps, message.raw, owners, message.receivedAt));
      // Without a Message-ID of the sender's own, two equal messages may well be two messages.
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

/** Whether a reader's filters flag a message or throw it away; what passes them, or meets none, is scored all the same. */
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
    // The error's text might quote the mail.
    deps.logger.warn('a mail that would be sent on could not be scored');
    return true;
  }
}

/** Our verdicts, and for one reader's copy which address may be posted to, when there is one. */
const resultsFor = (
  { masterKey }: IngestDeps,
  { authenticationResults, oneClick }: InboundMessage,
  { binding }: SealedInbound,
  { userId }: Owner,
): string =>
  oneClick === null
    ? authenticationResults
    : authenticationResults + formatOneClick(masterKey, { userId, binding, url: oneClick });

/** A message as its readers' filters are asked about it; its subject leaves this only as their answer. */
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

/** What is counted of one reader's copy; null where nothing is. */
const toArrival = (
  { verdicts, receivedAt }: InboundMessage,
  { userId, plan }: Owner,
  treatment: Treatment | undefined,
): Arrival | null =>
  hasAnalytics(plan)
    ? { userId, receivedAt, flaggedBy: treatment?.flaggedBy ?? null, dmarc: verdicts.dmarc }
    : null;

/** A mail with what its reader's filters want done to it. */
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
 * Seals a message that the service itself writes to one of its users (a bounce, a notice), ready for storeMails in a
 * transaction of the caller. It is small: nothing is moved out of it. `isOwnName` says that its From is of this machine's
 * name, too, and of nobody else: then the reader is told that the sender is proved, since there was no way for it to be forged.
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

/** Old mail that its owner brings along, in the clear. */
export type ImportedMessage = {
  readonly raw: Uint8Array;
  readonly owner: Owner;
  readonly receivedAt: Date;
  readonly flags: Partial<
    Record<'archived' | 'deleted' | 'draft' | 'flagged' | 'read' | 'sent' | 'starred', boolean>
  >;
  /** From here on it is kept, where it is among the deleted. */
  readonly takenAt: Date;
  readonly tagNames: readonly string[];
  /** Recognises it when it is brought again by the same hand. */
  readonly receiptDigest: Buffer;
};

export type ImportedMail = {
  /**
   * Seals a message to its owner and stores it, unless `isKnown` says under the mailbox's lock that it is there; no filter
   * is asked. One without a Message-ID gets a keyed hash of itself as such: the same each time. `along` runs in the same transaction, told whether it was stored; when it throws, nothing was. Throws
   * AppError `quota_exceeded`.
   */
  readonly take: (
    message: ImportedMessage,
    isKnown: (trx: Trx, mail: MailIdentity) => Promise<boolean>,
    along: (trx: Trx, isStored: boolean) => Promise<void>,
  ) => Promise<void>;
  /** Ends the sealing threads. */
  readonly close: () => Promise<void>;
};

export function createImportedMail(deps: Pick<Deps, 'blobs' | 'config' | 'db' | 'masterKey'>): ImportedMail {
  const pool = createSealPool(1);
  /** Its own name, or one that is the same when it is brought again. */
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
  if (wrap === undefined) throw new Error('A recipient was left without a wrap');
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
 * Stores the containers, then the mail that refers to them. Rows come before bytes and bytes before the mail, so that a
 * crash leaves nothing behind that the collector of orphans does not find; without a crash we tidy up ourselves.
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
    // Whether a broken connection had committed is unknown: bytes that a mail refers to must stay.
    if (error instanceof AppError) await forget();
    throw error;
  }
  if (copies === 0) await forget();
}

const CHUNK_BYTES = 1024 * 1024;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
