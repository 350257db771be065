/**
 * [Note: Feedback IDs] CFBL-Feedback-ID (RFC 9477): outgoing mail has an encrypted ID that only
 * this server can decrypt. It holds the sender, the time and a digest of the recipients' domains.
 * Only someone who has the message can complain with its ID, and each message counts once.
 * Encryption is randomized, so IDs cannot be linked.
 */
import { domainOf } from '@keyfold/mail/address-form';
import type { Deps } from '../../../context/deps.ts';

const PURPOSE = 'feedback id';
const UUID_BYTES = 16;
const SECONDS_BYTES = 6;
const AUDIENCE_BYTES = 8;

/** The ID of a message that a user sends to addresses. */
export function makeFeedbackId(
  { masterKey }: Pick<Deps, 'masterKey'>,
  userId: string,
  sentAt: Date,
  recipients: readonly string[],
): string {
  const domains = [...new Set(recipients.map(address => domainOf(address)))].sort();
  const plain = Buffer.alloc(UUID_BYTES + SECONDS_BYTES + AUDIENCE_BYTES);
  masterKey.digest('feedback audience', userId, ...domains).copy(plain, UUID_BYTES + SECONDS_BYTES);
  plain.write(userId.replaceAll('-', ''), 'hex');
  plain.writeUIntBE(Math.floor(sentAt.getTime() / 1000), UUID_BYTES, SECONDS_BYTES);
  return masterKey.seal(PURPOSE, '', plain).toString('base64url');
}

export type FeedbackId = {
  readonly userId: string;
  readonly sentAt: Date;
  /** The encrypted ID: identifies the message. */
  readonly bytes: Buffer;
  /** Digest of the recipients' domains; null in IDs from before it was added. */
  readonly audience: Buffer | null;
};

/** Decrypts an ID; null when it is not one of this server's. */
export function openFeedbackId({ masterKey }: Pick<Deps, 'masterKey'>, id: string): FeedbackId | null {
  try {
    const bytes = Buffer.from(id, 'base64url');
    // The last character has unused bits, so base64url has several spellings of the same bytes;
    // only one is valid.
    if (bytes.toString('base64url') !== id) return null;
    const plain = masterKey.open(PURPOSE, '', bytes);
    const hex = plain.toString('hex', 0, UUID_BYTES);
    const userId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    const sentAt = new Date(plain.readUIntBE(UUID_BYTES, SECONDS_BYTES) * 1000);
    const audience = plain.subarray(UUID_BYTES + SECONDS_BYTES);
    return { userId, sentAt, bytes, audience: audience.length === 0 ? null : audience };
  } catch {
    return null;
  }
}
