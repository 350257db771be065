// Converts a mailto: address to the initial content of a composer (RFC 6068): recipients (including
// Bcc, which the composer shows), subject and text. Ignores all other fields, above all
// attachments: a link must not choose what is attached.
import { readRecipientList } from '@keyfold/mail/recipient-list';
import type { PersonView } from '../state/view-model.ts';

export type MailtoDraft = {
  to: PersonView[];
  cc: PersonView[];
  bcc: PersonView[];
  subject: string;
  text: string;
};

const MAX_TEXT_CHARACTERS = 20_000;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });
const windows1252 = new TextDecoder('windows-1252');

/**
 * Decodes percent-encoding where it is valid and keeps stray percent signs. Links that are not
 * UTF-8 are decoded as windows-1252.
 */
const decoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, run => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), hex => Number.parseInt(hex, 16));
    try {
      return strictUtf8.decode(bytes);
    } catch {
      return windows1252.decode(bytes);
    }
  });

const peopleIn = (text: string): PersonView[] =>
  readRecipientList(text)
    .recipients.filter(({ isValid }) => isValid)
    .map(({ name, address }) => ({ name, address }));

/** Returns the draft that a mailto: address describes, or an empty one for any other address. */
export function readMailto(href: string): MailtoDraft {
  const [addresses = '', query = ''] = href.replace(/^\s*mailto:/i, '').split(/\?(.*)/s);
  const message: MailtoDraft = { to: peopleIn(decoded(addresses)), cc: [], bcc: [], subject: '', text: '' };
  for (const field of query.split('&')) {
    const [name = '', value = ''] = field.split(/=(.*)/s);
    const words = decoded(value);
    // Addresses that were escaped once too often contain "&amp;subject=".
    switch (decoded(name).replace(/^amp;/i, '').toLowerCase()) {
      case 'to':
        message.to.push(...peopleIn(words));
        break;
      case 'cc':
        message.cc.push(...peopleIn(words));
        break;
      case 'bcc':
        message.bcc.push(...peopleIn(words));
        break;
      case 'subject':
        message.subject = words.replace(/\p{Cc}+/gu, ' ').slice(0, 998);
        break;
      case 'body':
        message.text = words.replaceAll('\r\n', '\n').slice(0, MAX_TEXT_CHARACTERS);
        break;
    }
  }
  return message;
}
