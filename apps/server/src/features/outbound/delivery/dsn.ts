/**
 * Delivery status notices for mail that failed or is delayed: multipart/report with three parts
 * (RFC 3462, RFC 3464; RFC 6533 for UTF-8), with the original's headers but never its body. Builds
 * bytes only; settle.ts seals and stores them.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';
import { formatDate, sanitizeHeaderValue } from '@keyfold/mail/mime/stored-headers';

export type ReportedRecipient = {
  readonly address: string;
  readonly status: string;
  readonly text: string;
  readonly replyCode?: number;
  readonly remoteHost?: string;
};

export type Report = {
  readonly action: 'failed' | 'delayed';
  /** Recipient of the notice: the sender of the original. */
  readonly to: string;
  /** Hostname of this machine. */
  readonly reportingHost: string;
  readonly messageId: string;
  readonly now: Date;
  readonly arrivedAt: Date;
  /** Time until which a delayed message is retried. */
  readonly willRetryUntil?: Date;
  readonly recipients: readonly ReportedRecipient[];
  readonly original: Uint8Array;
};

const DIAGNOSTIC_MAX_CHARACTERS = 800;
const HEADERS_MAX_BYTES = 64 * 1024;

const TEXTS = {
  failed: {
    subject: 'Undelivered mail returned to sender',
    intro: 'Your message could not be delivered to the following recipients and will not be retried:',
  },
  delayed: {
    subject: 'Your message is delayed',
    intro:
      'Your message has not been delivered to the following recipients yet. Delivery will be retried, so you do not need to resend it:',
  },
} as const;

/** Returns another server's text as one printable line. */
const oneLine = (text: string): string =>
  sanitizeHeaderValue(text)
    .replace(/[^\u0020-\u007e]/g, '?')
    .slice(0, DIAGNOSTIC_MAX_CHARACTERS);

const originalHeaders = (original: Uint8Array): Uint8Array =>
  original.subarray(0, Math.min(readHeaderBlock(original).end, HEADERS_MAX_BYTES));

const originalMessageId = (original: Uint8Array): string | null =>
  readHeaderBlock(original).fields.find(field => field.key === 'message-id')?.value ?? null;

function statusFields(recipient: ReportedRecipient, report: Report): string[] {
  const utf8 = /[^\u0020-\u007e]/.test(recipient.address);
  return [
    '',
    `Final-Recipient: ${utf8 ? 'utf-8' : 'rfc822'};${recipient.address}`,
    `Action: ${report.action}`,
    `Status: ${recipient.status}`,
    ...(recipient.remoteHost === undefined ? [] : [`Remote-MTA: dns;${oneLine(recipient.remoteHost)}`]),
    `Diagnostic-Code: ${recipient.replyCode === undefined ? 'x-keyfold' : 'smtp'};${oneLine(recipient.text)}`,
    `Last-Attempt-Date: ${formatDate(report.now)}`,
    ...(report.willRetryUntil === undefined
      ? []
      : [`Will-Retry-Until: ${formatDate(report.willRetryUntil)}`]),
  ];
}

/** Returns the notice as a raw message with CRLF line ends. */
export function buildReport(report: Report): Buffer {
  const { subject, intro } = TEXTS[report.action];
  const originalId = originalMessageId(report.original);
  const boundary = `kf-${createHash('sha256').update(report.messageId).digest('hex').slice(0, 40)}`;
  const needsUtf8 = report.recipients.some(({ address }) => /[^\u0020-\u007e]/.test(address));
  const headers = originalHeaders(report.original);
  const areGlobal = isUtf8(headers) && (needsUtf8 || !isAscii(headers));
  const head = [
    `From: Mail Delivery System <mailer-daemon@${report.reportingHost}>`,
    `To: ${report.to}`,
    `Subject: ${subject}`,
    `Date: ${formatDate(report.now)}`,
    `Message-ID: ${report.messageId}`,
    ...(originalId === null ? [] : [`In-Reply-To: ${originalId}`, `References: ${originalId}`]),
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    intro,
    '',
    ...report.recipients.flatMap(recipient => [
      `  ${recipient.address}`,
      `    ${recipient.remoteHost === undefined ? '' : `${oneLine(recipient.remoteHost)}: `}${oneLine(recipient.text)}`,
      '',
    ]),
    ...(report.willRetryUntil === undefined
      ? []
      : [`Delivery will be retried until ${formatDate(report.willRetryUntil)}.`, '']),
    `--${boundary}`,
    ...(needsUtf8
      ? // RFC 6533 §3: the part contains UTF-8 addresses.
        ['Content-Type: message/global-delivery-status', 'Content-Transfer-Encoding: 8bit']
      : ['Content-Type: message/delivery-status']),
    '',
    `Reporting-MTA: dns;${report.reportingHost}`,
    `Arrival-Date: ${formatDate(report.arrivedAt)}`,
    ...report.recipients.flatMap(recipient => statusFields(recipient, report)),
    '',
    `--${boundary}`,
    // RFC 6533 §4: UTF-8 header fields have their own media type.
    areGlobal ? 'Content-Type: message/global-headers' : 'Content-Type: text/rfc822-headers; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    '',
  ].join('\r\n');
  return Buffer.concat([Buffer.from(head), headers, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
