/**
 * Builds the message that carries a report to another domain: a line of text and a compressed file.
 * Bytes in, bytes out.
 */
import { formatDate } from '@keyfold/mail/mime/stored-headers';

type ReportMail = {
  readonly submitter: string;
  readonly to: string;
  readonly subject: string;
  readonly messageId: string;
  readonly now: Date;
  /** Header lines specific to this kind of report. */
  readonly headers: readonly string[];
  /** Content-Type of the whole message, without its boundary. */
  readonly contentType: string;
  readonly text: string;
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer };
};

const LINE = /.{1,76}/g;

/** Returns the message with CRLF line endings, not yet signed. */
export function buildReportMail(mail: ReportMail): Buffer {
  const boundary = `kf-report-${mail.messageId.replace(/[^A-Za-z0-9]/g, '').slice(0, 40)}`;
  const lines = [
    `From: Reports of ${mail.submitter} <postmaster@${mail.submitter}>`,
    `To: ${mail.to}`,
    `Subject: ${mail.subject}`,
    `Date: ${formatDate(mail.now)}`,
    `Message-ID: ${mail.messageId}`,
    ...mail.headers,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    `Content-Type: ${mail.contentType}; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    mail.text,
    '',
    `--${boundary}`,
    `Content-Type: ${mail.file.type}`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: attachment; filename="${mail.file.name}"`,
    '',
    ...(mail.file.bytes.toString('base64').match(LINE) ?? []),
    `--${boundary}--`,
    '',
  ];
  return Buffer.from(lines.join('\r\n'));
}
