/**
 * Complaints about our own mail as feedback loops bring them (RFC 5965): the mark that the mail bore when it left
 * (CFBL-Feedback-ID, RFC 9477). Who complains, and about what, is not looked at.
 */
import { findHeader, readHeaders } from '@keyfold/mail/mime/headers';
import { type MimePart, scanStructure } from '@keyfold/mail/mime/structure';
import { decodeTransfer } from '@keyfold/mail/mime/transfer';

export const FEEDBACK_FIELD = 'CFBL-Feedback-ID';

/** Types of RFC 5965 §7.3 that complain; `not-spam` takes one back, and `other` is anything. */
const COMPLAINTS: ReadonlySet<string> = new Set(['abuse', 'fraud', 'virus']);

const ORIGINAL = /^(?:message\/rfc822|message\/global|text\/rfc822-headers|message\/global-headers)$/;

const bodyOf = (raw: Uint8Array, part: MimePart): Uint8Array =>
  decodeTransfer(raw.subarray(part.bodyStart, part.bodyEnd), part.encoding);

/** The mark of the mail that is complained of; null when this is no complaint, or about no mail of ours. */
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
