// Finds how to unsubscribe from a mailing list, from the List-Unsubscribe fields of the opened
// message (RFC 2369, RFC 8058). One-click unsubscribe is offered only when our server found on
// arrival that a DKIM signature covers these fields, as RFC 8058 requires. Otherwise an attacker
// could make us post to an address of their choice. The server accepts that address and no other.
import type { Email } from '@keyfold/contract';
import {
  findOneClickAddress,
  isSecureWeb,
  readUnsubscribeAddresses,
} from '@keyfold/mail/mime/list-unsubscribe';
import { readAuthenticationResults } from '@keyfold/mail/mime/stored-headers';
import type { OpenedMail } from '../../../crypto/mail/mail-opener.ts';

export type Unsubscribe = { readonly kind: 'one_click' | 'mail' | 'web'; readonly address: string };

const valuesOf = (content: OpenedMail, key: string): string[] =>
  content.parsed.headers.filter(header => header.key === key).map(({ value }) => value);

/** Only the stored block is read: the sender controls a field inside the message. */
const isCovered = ({ headers }: Email): boolean =>
  readAuthenticationResults(headers).some(value => /;\s*x-one-click=pass\b/.test(value));

/**
 * A message without a subject does not say what it is for, so it gets the subject that lists
 * expect.
 */
function withSubject(mailto: string): string {
  const [to = '', query = ''] = mailto.split(/\?(.*)/s);
  const fields = query.split('&').filter(field => field !== '' && !/^subject=?$/i.test(field));
  if (!fields.some(field => /^subject=/i.test(field))) fields.push('subject=unsubscribe');
  return `${to}?${fields.join('&')}`;
}

/** Returns how to unsubscribe from the list that delivered this message, or null. */
export function findUnsubscribe(mail: Email, content: OpenedMail): Unsubscribe | null {
  if (content.failed !== null || content.kind !== 'mail' || mail.sent || mail.draft || mail.flagged)
    return null;
  const values = valuesOf(content, 'list-unsubscribe');
  const oneClick = isCovered(mail)
    ? findOneClickAddress(values, valuesOf(content, 'list-unsubscribe-post'))
    : null;
  if (oneClick !== null) return { kind: 'one_click', address: oneClick };
  const addresses = values.flatMap(readUnsubscribeAddresses);
  const written = addresses.find(address => /^mailto:[^?]*@/i.test(address));
  if (written !== undefined) return { kind: 'mail', address: withSubject(written) };
  const any =
    addresses.find(isSecureWeb) ??
    addresses.find(address => /^http:\/\/[^/]/i.test(address) && URL.canParse(address));
  return any === undefined ? null : { kind: 'web', address: any };
}
