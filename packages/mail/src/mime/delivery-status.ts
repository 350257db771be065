// Reads the machine-readable part of a delivery status notification, message/delivery-status (RFC
// 3464, RFC 6533), from our own or any other server, and which message it is about. None of this is
// authenticated: anyone can write such a part.

import { findHeader, type HeaderField, readHeaderBlock, readHeaders } from './headers.ts';
import type { ParsedAttachment } from './parse.ts';

/** Delivery result for one recipient. */
export type ReportedDelivery = {
  address: string;
  action: 'failed' | 'delayed';
  status: string; // RFC 3463, as in 5.1.1; '' if absent
  remoteHost: string | null;
  diagnostic: string | null;
};

export type DeliveryReport = {
  recipients: ReportedDelivery[];
  /** Message-ID of the reported message, in angle brackets. */
  originalId: string | null;
  retriedUntil: string | null; // as written
};

const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status']);
const ORIGINAL_TYPES = new Set([
  'text/rfc822-headers',
  'message/rfc822',
  'message/global-headers',
  'message/global',
]);
const PART_MAX_BYTES = 256 * 1024;
const RECIPIENTS_MAX = 200;

/** Reports whether the part of a notification is only for programs and never shown as a file. */
export const isReportPart = ({ mimeType }: Pick<ParsedAttachment, 'mimeType'>): boolean =>
  STATUS_TYPES.has(mimeType.toLowerCase()) ||
  /^(?:text\/rfc822-headers|message\/global-headers)$/i.test(mimeType);

const isOf = (types: ReadonlySet<string>, { mimeType }: ParsedAttachment): boolean =>
  types.has(mimeType.toLowerCase());

/** Returns the value after its type, as in "rfc822; somebody@example.org". */
function typedValue(fields: readonly HeaderField[], key: string): string | null {
  const value =
    findHeader(fields, key)
      ?.value.replace(/^[^;]*;/, '')
      .trim() ?? '';
  return value === '' ? null : value.replace(/^<(.*)>$/, '$1');
}

function readRecipient(fields: readonly HeaderField[]): ReportedDelivery | null {
  // The address the sender used counts, not the one it was forwarded to.
  const address = typedValue(fields, 'original-recipient') ?? typedValue(fields, 'final-recipient');
  const action = findHeader(fields, 'action')?.value.trim().toLowerCase() ?? '';
  if (address === null || (action !== 'failed' && action !== 'delayed')) return null;
  const diagnostic = typedValue(fields, 'diagnostic-code');
  return {
    address,
    action,
    status: statusOf(findHeader(fields, 'status')?.value ?? '', diagnostic ?? ''),
    remoteHost: typedValue(fields, 'remote-mta'),
    diagnostic,
  };
}

/**
 * Returns the notification's status code, or if that is empty, the one in the remote server's
 * response text.
 */
function statusOf(value: string, diagnostic: string): string {
  const code = /\b[245]\.\d{1,3}\.\d{1,3}\b/;
  const own = code.exec(value)?.[0] ?? '';
  const told = code.exec(diagnostic)?.[0] ?? '';
  return /^$|\.0\.0$/.test(own) && told !== '' ? told : own;
}

/**
 * Returns the blocks of fields between blank lines: the first describes the message, each later one
 * a recipient.
 */
function readBlocks(content: Uint8Array): HeaderField[][] {
  const blocks: HeaderField[][] = [];
  let position = 0;
  while (position < content.length && blocks.length <= RECIPIENTS_MAX) {
    const { fields, bodyStart } = readHeaderBlock(content, position);
    if (fields.length > 0) blocks.push(fields);
    position = bodyStart;
  }
  return blocks;
}

/**
 * Returns the delivery report in the parts of a message, or null when the message is not a delivery
 * notification.
 */
export function readDeliveryReport(attachments: readonly ParsedAttachment[]): DeliveryReport | null {
  const part = attachments.find(file => isOf(STATUS_TYPES, file) && file.external === null);
  if (part === undefined) return null;
  const blocks = readBlocks(part.content.subarray(0, PART_MAX_BYTES));
  const recipients = blocks.flatMap(fields => readRecipient(fields) ?? []);
  if (recipients.length === 0) return null;
  const original = attachments.find(file => isOf(ORIGINAL_TYPES, file));
  const fields = original === undefined ? [] : readHeaders(original.content.subarray(0, PART_MAX_BYTES));
  return {
    recipients,
    originalId: /<[^<>\s]+>/.exec(findHeader(fields, 'message-id')?.value ?? '')?.[0] ?? null,
    retriedUntil:
      blocks.map(one => findHeader(one, 'will-retry-until')?.value.trim()).find(value => value) ?? null,
  };
}
