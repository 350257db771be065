// Explains bounces in plain language, by the class of their status code (RFC 3463).
import type { DeliveryReport, ReportedDelivery } from '@keyfold/mail/mime/delivery-status';
import { t, term } from '../../../lib/language.ts';
import type { WholeMail } from './queries.ts';
import type { PersonView } from './view-model.ts';

const words: readonly (readonly [code: RegExp, text: string])[] = [
  [/\.1\.[16]$/, term('This address doesn’t exist.')],
  [/\.1\.3$/, term('This address isn’t valid.')],
  [/\.(?:1\.2|1\.10|4\.4)$/, term('The domain of this address doesn’t exist or doesn’t accept mail.')],
  [/\.2\.1$/, term('The mailbox of this address is disabled.')],
  [/\.2\.2$/, term('The mailbox of this address is full.')],
  [/\.(?:2\.3|3\.4)$/, term('The message is too large for the recipient’s provider.')],
  [/\.4\.7$/, term('The recipient’s provider didn’t accept the message in time.')],
  [/\.6\.\d+$/, term('The recipient’s provider doesn’t support this message format.')],
  [/\.7\.\d+$/, term('The recipient’s provider rejected the message because of its policy.')],
  [/\.[34]\.\d+$/, term('The recipient’s provider couldn’t be reached.')],
];

/** Returns one sentence on why a recipient did not get the message. */
export function bounceWords({ action, status }: ReportedDelivery): string {
  if (action === 'delayed')
    return t('Not delivered yet. Delivery will be retried, so you don’t need to resend the message.');
  const known = words.find(([code]) => code.test(status));
  return known === undefined ? t('The message couldn’t be delivered to this address.') : t(known[1]);
}

/** Returns the remote server's response, for technical readers. */
export const technicalText = ({ status, remoteHost, diagnostic }: ReportedDelivery): string =>
  [status, remoteHost, diagnostic].filter(part => part !== null && part !== '').join('\n');

/** Returns the recipients that get nothing unless the message is resent. */
export const failedRecipients = ({ recipients }: DeliveryReport): readonly ReportedDelivery[] =>
  recipients.filter(({ action }) => action === 'failed');

/** Returns the failed recipients that the user's original message names. */
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
