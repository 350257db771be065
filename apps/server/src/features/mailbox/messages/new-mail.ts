/**
 * A mail on its way into a mailbox, sealed already; what inbound mail, sent copies, drafts, notices and imported mail have
 * in common.
 */
import { NO_NEWS_BITS } from '../../../base/flags.ts';

/** A sealed mail on its way into one mailbox. Binary values are raw bytes. */
export type NewMail = {
  readonly userId: string;
  readonly flags: number;
  readonly receivedAt: Date;
  /** Stored header block (docs/wire-format.md#payload), lines ended by CRLF, no empty line at the end. */
  readonly headers: string;
  readonly fromAddress: string;
  readonly ownAddress: string;
  readonly messageId: string;
  /** In-Reply-To and References, oldest first. */
  readonly references: readonly string[];
  readonly body: Buffer;
  readonly summary: Buffer | null;
  /** SHA-256 of the body's bytes (docs/crypto.md#message). */
  readonly binding: Buffer;
  readonly ciphertext: Buffer | null;
  readonly encryptedKey: Buffer | null;
  readonly dhPublic: Buffer | null;
  readonly salt: Buffer | null;
  readonly keyUsed: string | null;
  readonly isAlert?: boolean;
  /** Old mail that is brought in: no news. Nobody is told of it and no snoozed conversation wakes. */
  readonly isQuiet?: boolean;
  /** With the flag `deleted`: when the mail is purged. */
  readonly deletedAt?: Date;
  /** Names of tags to give it; those that the user does not have are left out. */
  readonly tagNames?: readonly string[];
  /** When a held mail goes out. */
  readonly sendAt?: Date;
  readonly attachments?: readonly { readonly blobId: string; readonly sizeBytes: number }[];
  /** Keyed digest of an inbound delivery, or of a message of an import: a repeated one is not stored again. */
  readonly receiptDigest?: Buffer;
};

/**
 * Bytes of a mail that count against the quota (docs/interpretations.md#90): what is stored of it, but for the wraps of its key.
 */
export const sizeOf = (mail: Pick<NewMail, 'attachments' | 'body' | 'headers' | 'summary'>): number =>
  (mail.attachments ?? []).reduce(
    (sum, { sizeBytes }) => sum + sizeBytes,
    mail.body.length + Buffer.byteLength(mail.headers) + (mail.summary?.length ?? 0),
  );

/** Whether its reader is told of it, and snoozed mail of the same conversation comes back. */
export const isNews = ({ flags, isQuiet }: Pick<NewMail, 'flags' | 'isQuiet'>): boolean =>
  !isQuiet && (flags & NO_NEWS_BITS) === 0;
