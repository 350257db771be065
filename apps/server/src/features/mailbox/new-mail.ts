/**
 * A mail on its way into a mailbox, sealed already; what inbound mail, sent copies, drafts and notices have in common.
 */

/** A sealed mail on its way into one mailbox. Binary values are raw bytes. */
export type NewMail = {
  readonly userId: string;
  readonly flags: number;
  readonly receivedAt: Date;
  /** Stored header block (protocol.md §5), lines ended by CRLF, no empty line at the end. */
  readonly headers: string;
  readonly fromAddress: string;
  readonly ownAddress: string;
  readonly messageId: string;
  /** In-Reply-To and References, oldest first. */
  readonly references: readonly string[];
  readonly body: Buffer;
  readonly summary: Buffer | null;
  /** SHA-256 of the body's bytes (protocol.md §4.2). */
  readonly binding: Buffer;
  readonly ciphertext: Buffer | null;
  readonly encryptedKey: Buffer | null;
  readonly dhPublic: Buffer | null;
  readonly salt: Buffer | null;
  readonly keyUsed: string | null;
  readonly isAlert?: boolean;
  readonly attachments?: readonly { readonly blobId: string; readonly sizeBytes: number }[];
  /** Keyed digest of an inbound delivery: a repeated one is not stored again. */
  readonly receiptDigest?: Buffer;
};

/** Bytes of a mail that count against the quota. */
export const sizeOf = (mail: Pick<NewMail, 'body' | 'attachments'>): number =>
  (mail.attachments ?? []).reduce((sum, { sizeBytes }) => sum + sizeBytes, mail.body.length);
