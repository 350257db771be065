// What the readable headers of a mail tell, in the shape of a summary: for rows that have no summary or whose summary does
// not open. A file of its own because it brings the parser with it.
import type { Email } from '@keyfold/contract';
import type { MessageSummary } from '@keyfold/crypto/message';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { makeSummary } from '@keyfold/mail/mime/summary';

/** The summary; never fails. A notice of the service has its text among its headers, which counts in alert mails alone. */
export function headersSummary(mail: Email): MessageSummary {
  const parsed = parseHeadersOnly(new TextEncoder().encode(mail.headers));
  const summary = makeSummary(parsed, mail.received_at);
  const text = mail.alert ? parsed.headers.find(({ key }) => key === 'x-keyfold-notice-text') : undefined;
  return text === undefined ? summary : { ...summary, snippet: text.value };
}
