// What a notice about mail that was not delivered means, by the class of its state (RFC 3463), in the reader's words.
import type { DeliveryReport, ReportedDelivery } from '@keyfold/mail/mime/delivery-status';
import { t, term } from '../../../lib/language.ts';
import type { WholeMail } from './queries.ts';
import type { PersonView } from './view-model.ts';

const words: readonly (readonly [code: RegExp, text: string])[] = [
  [/\.1\.[16]$/, term('This address does not exist.')],
  [/\.1\.3$/, term('This address is not written as an address must be.')],
  [/\.(?:1\.2|1\.10|4\.4)$/, term('The domain of this address does not exist, or takes no mail.')],
  [/\.2\.1$/, term('The mailbox of this address is switched off.')],
  [/\.2\.2$/, term('The mailbox of this address is full.')],
  [/\.(?:2\.3|3\.4)$/, term('The message is too large for the service of this address.')],
  [/\.4\.7$/, term('The service of this address did not take the message in time.')],
  [/\.6\.\d+$/, term('The service of this address cannot take a message of this form.')],
  [/\.7\.\d+$/, term('The service of this address refused the message by its rules.')],
  [/\.[34]\.\d+$/, term('The service of this address could not be reached.')],
];

/** Why one recipient did not get the message, in one sentence. */
export function bounceWords({ action, status }: ReportedDelivery): string {
  if (action === 'delayed')
    return t('It has not been delivered yet and is tried again. You need not send it again.');
  const known = words.find(([code]) => code.test(status));
  return known === undefined ? t('The message could not be delivered to this address.') : t(known[1]);
}

/** What the other server said, for those who know about it. */
export const technicalText = ({ status, remoteHost, diagnostic }: ReportedDelivery): string =>
  [status, remoteHost, diagnostic].filter(part => part !== null && part !== '').join('\n');

const subjects: ReadonlySet<string> = new Set([
  term('Undelivered mail returned to sender'),
  term('Your mail is delayed'),
]);
const intros = [
  term('Your message could not be delivered to the following recipients, and will not be tried again:'),
  term('Your message could not be delivered yet to the following recipients. You need not send it again:'),
] as const;

/** The subject of a notice of our own server in the reader's language; any other as it is. */
export const bounceSubject = (subject: string): string => (subjects.has(subject) ? t(subject) : subject);

/** The same of its beginning, as lists show it. */
export function bounceSnippet(snippet: string): string {
  const intro = intros.find(one => snippet.startsWith(one));
  return intro === undefined ? snippet : t(intro) + snippet.slice(intro.length);
}

/** Recipients that get nothing unless it is sent again. */
export const failedRecipients = ({ recipients }: DeliveryReport): readonly ReportedDelivery[] =>
  recipients.filter(({ action }) => action === 'failed');

/** Those of the failed recipients whom one's own mail names. */
export function addresseesIn(original: WholeMail, report: DeliveryReport): PersonView[] {
  const { mail, content } = original;
  if (!mail.sent || content.failed !== null || content.path !== 'self') return [];
  const { to, cc, bcc } = content.parsed;
  const failed = new Set(failedRecipients(report).map(({ address }) => address.toLowerCase()));
  const found = new Map<string, PersonView>();
  for (const person of [...to, ...cc, ...bcc]) {
    const key = person.address.toLowerCase();
    if (failed.has(key) && !found.has(key)) found.set(key, person);
  }
  return [...found.values()];
}
