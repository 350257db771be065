// Builds a summary from the readable headers of a message, for rows that have no summary or whose
// summary does not open. Separate module, because it imports the parser.
import type { Email } from '@keyfold/contract';
import type { MessageSummary } from '@keyfold/crypto/message';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { makeSummary } from '@keyfold/mail/mime/summary';

/**
 * Returns the summary; never throws. A service notice has its text among its headers, which are
 * trusted only in alerts.
 */
export function headersSummary(mail: Email): MessageSummary {
  const parsed = parseHeadersOnly(new TextEncoder().encode(mail.headers));
  const summary = makeSummary(parsed, mail.received_at);
  const text = mail.alert ? parsed.headers.find(({ key }) => key === 'x-keyfold-notice-text') : undefined;
  return text === undefined ? summary : { ...summary, snippet: text.value };
}
