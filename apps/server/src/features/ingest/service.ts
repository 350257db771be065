/**
 * Takes mail in: seals it to its recipients and stores it, all or nothing, so that an acknowledgement given afterwards
 * holds through any crash (reliability.md P1). Plaintext stays in memory. The SMTP room asks here what to do and knows
 * nothing of sealing; mail that the service writes itself is sealed by sealNotice.
 */
import { AppError } from '@keyfold/contract/errors';
import type { Trx } from '../../db/pool.ts';
import type { Deps } from '../../deps.ts';
import { DETACH_MIN_BYTES } from '../../limits.ts';
import type { Owner } from '../accounts/service.ts';
import { toMask } from '../mailbox/flags.ts';
import { lockMailboxes, type NewMail, storeMails } from '../mailbox/service.ts';
import { formatClearHeaders, fromAddressOf } from './clear-headers.ts';
import { type SealedInbound, sealInbound } from './seal.ts';
import type { SealPool } from './seal-pool.ts';
import { deleteContainers, insertContainers } from './store.ts';

export { type FailureKind, kindOfFailure } from './failures.ts';
export { decideRecipient, type RecipientDecision } from './recipients.ts';
export { createSealPool, type SealPool } from './seal-pool.ts';

export type InboundMessage = {
  /** The message as received, dot-stuffing undone; becomes the payload byte for byte. */
  readonly raw: Uint8Array;
  /** Envelope sender; empty for a bounce. */
  readonly envelopeFrom: string;
  readonly recipients: readonly Owner[];
  /** Value of our Authentication-Results field. */
  readonly authenticationResults: string;
  readonly receivedAt: Date;
};

/** What came of a delivery; `copies` is 0 when every copy was here already. */
export type Ingested = { readonly copies: number };

/**
 * Stores a message in the mailbox of every recipient in one transaction; a repeated delivery is stored once. An owner
 * named by two addresses gets one copy. Throws AppError `quota_exceeded` when no recipient has room, and whatever the
 * database or the blob store fails with; then nothing was stored.
 */
export const ingestMessage = async (
  deps: Pick<Deps, 'db' | 'blobs' | 'config' | 'masterKey'>,
  pool: SealPool,
  message: InboundMessage,
): Promise<Ingested> => {
  const owners = [...new Map(message.recipients.map(owner => [owner.userId, owner])).values()];
  const sealed = await pool.seal({ ...sealInputOf(deps, message.raw, owners, message.receivedAt) });
  // Without a Message-ID of the sender's own, two equal messages may well be two messages.
  const receiptDigest = sealed.clear.hasOwnMessageId
    ? deps.masterKey.digest('receipt', message.envelopeFrom, sealed.rawHash)
    : undefined;
  const mails = owners.map((owner, index) =>
    toNewMail(sealed, index, owner, message.authenticationResults, message.receivedAt, receiptDigest),
  );
  const stored = await storeContainers(deps, sealed, () =>
    deps.db.transaction().execute(async trx => {
      await refuseWithoutRoom(trx, owners, mails);
      return storeMails(trx, mails);
    }),
  );
  return { copies: stored.length };
};

/**
 * Seals a message that the service itself writes to one of its users (a bounce, a notice), ready for storeMails in a
 * transaction of the caller. It is small: nothing is moved out of it.
 */
export const sealNotice = async (
  deps: Pick<Deps, 'config'>,
  notice: { readonly raw: Uint8Array; readonly recipient: Owner; readonly receivedAt: Date },
): Promise<NewMail> => {
  const sealed = await sealInbound({
    ...sealInputOf(deps, notice.raw, [notice.recipient], notice.receivedAt),
    detachMinBytes: Number.POSITIVE_INFINITY,
    isExamined: true,
  });
  return toNewMail(
    sealed,
    0,
    notice.recipient,
    `${deps.config.hostname}; none`,
    notice.receivedAt,
    undefined,
  );
};

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

const toNewMail = (
  sealed: SealedInbound,
  index: number,
  owner: Owner,
  authenticationResults: string,
  receivedAt: Date,
  receiptDigest: Buffer | undefined,
): NewMail => {
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
};

/**
 * Stores the containers, then does what refers to them. Rows come before bytes and bytes before the mail, so that a
 * crash leaves nothing behind that the collector of orphans does not find; without a crash we tidy up ourselves.
 */
const storeContainers = async <T extends readonly unknown[]>(
  { db, blobs }: Pick<Deps, 'db' | 'blobs'>,
  { containers }: SealedInbound,
  referring: () => Promise<T>,
): Promise<T> => {
  if (containers.length === 0) return referring();
  const forget = async () => {
    for (const { id } of containers) await blobs.remove(id).catch(() => undefined);
    await deleteContainers(
      db,
      containers.map(({ id }) => id),
    ).catch(() => undefined);
  };
  await insertContainers(
    db,
    containers.map(({ id, bytes }) => ({ id, sizeBytes: bytes.length })),
  );
  let stored: T;
  try {
    for (const { id, bytes } of containers) await blobs.put(id, chunksOf(bytes));
    stored = await referring();
  } catch (error) {
    // Whether a broken connection had committed is unknown: bytes that a mail refers to must stay.
    if (error instanceof AppError) await forget();
    throw error;
  }
  if (stored.length === 0) await forget();
  return stored;
};

const CHUNK_BYTES = 1024 * 1024;

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/**
 * Under the mailboxes' locks: refuses when nobody has room. When some have, all get their copy: SMTP has one answer for
 * all of them, and the excess is one message at most.
 */
const refuseWithoutRoom = async (
  trx: Trx,
  owners: readonly Owner[],
  mails: readonly NewMail[],
): Promise<void> => {
  const used = new Map(
    (
      await lockMailboxes(
        trx,
        owners.map(({ userId }) => userId),
      )
    ).map(box => [box.user_id, box.used_bytes]),
  );
  const [mail] = mails;
  if (mail === undefined) throw new Error('A message without recipients');
  const addedBytes = (mail.attachments ?? []).reduce((sum, one) => sum + one.sizeBytes, mail.body.length);
  const hasRoom = owners.some(
    ({ userId, storageLimitBytes }) => (used.get(userId) ?? 0) + addedBytes <= storageLimitBytes,
  );
  if (!hasRoom) throw new AppError('quota_exceeded');
};
