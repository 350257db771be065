// Reads a mailto: address into what a composer opens with (RFC 6068): people, subject and text. Other fields, and files
// above all, are left out: a link must not choose what is attached.
import { readRecipientList } from '@keyfold/mail/recipient-list';
import type { PersonView } from './view-model.ts';

export interface MailtoLetter {
  to: PersonView[];
  cc: PersonView[];
  subject: string;
  text: string;
}

const maxTextCharacters = 20_000;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const peopleIn = (text: string): PersonView[] =>
  readRecipientList(text)
    .recipients.filter(({ isValid }) => isValid)
    .map(({ name, address }) => ({ name, address }));

/** The letter a mailto: address asks for; what is no such address gives an empty one. */
export function readMailto(href: string): MailtoLetter {
  const [addresses = '', query = ''] = href.replace(/^\s*mailto:/i, '').split(/\?(.*)/s);
  const letter: MailtoLetter = { to: peopleIn(decoded(addresses)), cc: [], subject: '', text: '' };
  for (const field of query.split('&')) {
    const [name = '', value = ''] = field.split(/=(.*)/s);
    const words = decoded(value);
    switch (name.toLowerCase()) {
      case 'to':
        letter.to.push(...peopleIn(words));
        break;
      case 'cc':
        letter.cc.push(...peopleIn(words));
        break;
      case 'subject':
        letter.subject = words.replace(/\p{Cc}+/gu, ' ').slice(0, 998);
        break;
      case 'body':
        letter.text = words.replaceAll('\r\n', '\n').slice(0, maxTextCharacters);
        break;
    }
  }
  return letter;
}
