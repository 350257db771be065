// Reads a mailto: address into what a composer opens with (RFC 6068): people (those in Bcc too, whom the composer shows), subject and text. Other fields, and files
// above all, are left out: a link must not choose what is attached.
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

/** Percent-encoding undone, as far as it is some: a stray sign stays, and links that are not UTF-8 are windows-1252. */
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

/** The letter a mailto: address asks for; what is no such address gives an empty one. */
export function readMailto(href: string): MailtoDraft {
  const [addresses = '', query = ''] = href.replace(/^\s*mailto:/i, '').split(/\?(.*)/s);
  const message: MailtoDraft = { to: peopleIn(decoded(addresses)), cc: [], bcc: [], subject: '', text: '' };
  for (const field of query.split('&')) {
    const [name = '', value = ''] = field.split(/=(.*)/s);
    const words = decoded(value);
    // Texts that were escaped once too often say "&amp;subject=".
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
