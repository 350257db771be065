// What the readable headers of a mail tell, in the shape of a summary: for rows that have no summary or whose summary does
// not open. A file of its own because it brings the parser with it.
import type { Email } from '@keyfold/contract';
import type { MessageSummary } from '@keyfold/crypto/message';
import { parseHeadersOnly } from '@keyfold/mail/mime/parse';
import { makeSummary } from '@keyfold/mail/mime/summary';

/** The summary; never fails. */
export const headersSummary = (mail: Email): MessageSummary =>
  makeSummary(parseHeadersOnly(new TextEncoder().encode(mail.headers)), mail.received_at);
