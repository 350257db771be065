/**
 * Who a mail is from and to, as text that a search can look through: names and addresses of the stored From, To and Cc,
 * decoded and folded to one form. Subjects and bodies are the client's index (docs/api-conventions.md#mail).
 */
import { parseAddressList } from '@keyfold/mail/addresses';
import { withoutPiles } from '@keyfold/mail/invisible';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';

const FIELDS = new Set(['from', 'to', 'cc']);

/** The form in which a search and what it looks through are compared: NFKC, lowercase, one blank between words. */
export const foldForSearch = (text: string): string =>
  withoutPiles(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** The people of a stored header block, one a line. */
export const peopleOf = (headers: string): string =>
  readHeaderBlock(Buffer.from(headers, 'utf8'))
    .fields.filter(field => FIELDS.has(field.key))
    .flatMap(field => parseAddressList(field.value))
    .map(({ name, address }) => foldForSearch(`${name} ${address}`))
    .join('\n')
    // PostgreSQL's text has no zero byte.
    .replaceAll('\0', '');
