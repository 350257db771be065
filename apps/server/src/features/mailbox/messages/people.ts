/**
 * Searchable text of a message's senders and recipients: names and addresses of the stored From, To
 * and Cc, decoded and folded to one form. Subjects and bodies are searched by the client's index
 * (docs/api-conventions.md#mail).
 */
import { parseAddressList } from '@keyfold/mail/addresses';
import { withoutPiles } from '@keyfold/mail/invisible';
import { readHeaderBlock } from '@keyfold/mail/mime/headers';

const FIELDS = new Set(['from', 'to', 'cc']);

/** Folds text for comparison in searches: NFKC, lowercase, one space between words. */
export const foldForSearch = (text: string): string =>
  withoutPiles(text).normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Returns the people of a stored header block, one per line. */
export const peopleOf = (headers: string): string =>
  readHeaderBlock(Buffer.from(headers, 'utf8'))
    .fields.filter(field => FIELDS.has(field.key))
    .flatMap(field => parseAddressList(field.value))
    .map(({ name, address }) => foldForSearch(`${name} ${address}`))
    .join('\n')
    // PostgreSQL text cannot contain a zero byte.
    .replaceAll('\0', '');
