/**
 * Parses complaints about our own mail from feedback loops (RFC 5965): extracts the feedback id
 * that the message had when it was sent (CFBL-Feedback-ID, RFC 9477). Does not read who complains
 * or about which content.
 */
import { findHeader, readHeaders } from '@keyfold/mail/mime/headers';
import { type MimePart, scanStructure } from '@keyfold/mail/mime/structure';
import { decodeTransfer } from '@keyfold/mail/mime/transfer';

export const FEEDBACK_FIELD = 'CFBL-Feedback-ID';

/**
 * Complaint types of RFC 5965 §7.3; `not-spam` withdraws a complaint, and `other` can mean
 * anything.
 */
const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus']);

const ORIGINAL = /^(?:message\/rfc822|message\/global|text\/rfc822-headers|message\/global-headers)$/;

const bodyOf = (raw: Uint8Array, part: MimePart): Uint8Array =>
  decodeTransfer(raw.subarray(part.bodyStart, part.bodyEnd), part.encoding);

/**
 * Returns the feedback id of the message complained about; null when this is not a complaint, or
 * not about our mail.
 */
export function findComplaint(raw: Uint8Array): string | null {
  const { root } = scanStructure(raw);
  if (root.contentType.value !== 'multipart/report') return null;
  const report = root.children.find(({ contentType }) => contentType.value === 'message/feedback-report');
  const original = root.children.find(({ contentType }) => ORIGINAL.test(contentType.value));
  if (report === undefined || original === undefined) return null;
  const type =
    findHeader(readHeaders(bodyOf(raw, report)), 'feedback-type')
      ?.value.trim()
      .toLowerCase() ?? '';
  if (!COMPLAINTS.has(type)) return null;
  const mark =
    findHeader(readHeaders(bodyOf(raw, original)), FEEDBACK_FIELD.toLowerCase())?.value.trim() ?? '';
  return /^[A-Za-z0-9_-]{20,200}$/.test(mark) ? mark : null;
}
