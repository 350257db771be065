/**
 * A sealed message on its way into a mailbox: the fields that inbound mail, sent copies, drafts,
 * notices and imported mail share.
 */
import { NO_NEWS_BITS } from '../../../base/flags.ts';

/** A sealed message on its way into one mailbox. Binary values are raw bytes. */
export type NewMail = {
  readonly userId: string;
  readonly flags: number;
  readonly receivedAt: Date;
  /**
   * Stored header block (docs/wire-format.md#payload), with CRLF line endings and no empty line at
   * the end.
   */
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
  /**
   * Imported message that is not new: it triggers no notification and does not end the snoozing of
   * its conversation.
   */
  readonly isQuiet?: boolean;
  /** Purge time, for a message with the flag `deleted`. */
  readonly deletedAt?: Date;
  /** Names of tags to add; names that the user does not have are ignored. */
  readonly tagNames?: readonly string[];
  /** Send time of a held message. */
  readonly sendAt?: Date;
  readonly attachments?: readonly { readonly blobId: string; readonly sizeBytes: number }[];
  /** Keyed digest of an inbound delivery or of an imported message; prevents storing it twice. */
  readonly receiptDigest?: Buffer;
};

/**
 * Returns the bytes of a message that count against the quota (docs/interpretations.md#90):
 * everything stored for it except the wraps of its key.
 */
export const sizeOf = (mail: Pick<NewMail, 'attachments' | 'body' | 'headers' | 'summary'>): number =>
  (mail.attachments ?? []).reduce(
    (sum, { sizeBytes }) => sum + sizeBytes,
    mail.body.length + Buffer.byteLength(mail.headers) + (mail.summary?.length ?? 0),
  );

/** Returns whether a message notifies its reader and ends the snoozing of its conversation. */
export const isNews = ({ flags, isQuiet }: Pick<NewMail, 'flags' | 'isQuiet'>): boolean =>
  !isQuiet && (flags & NO_NEWS_BITS) === 0;
