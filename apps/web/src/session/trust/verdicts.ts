// What our own server found out about the sender of a mail from outside, as its stored header block says it: the verdicts
// of the checks, and whether they leave the sender in doubt. What is shown of it is the reader's and the calendar's work.
import type { Email } from '@keyfold/contract';
import { readAuthenticationResults } from '@keyfold/mail/mime/stored-headers';

/** Checks that ended without a pass where the sender's domain may well ask for one; the first two can be provoked. */
const doubtfulVerdicts = new Set(['permerror', 'temperror', 'fail']);

/** The checks whose verdicts are shown. */
export const verdictNames = ['spf', 'dkim', 'dmarc', 'arc'] as const;

/**
 * The verdicts of the Authentication-Results of our own server, such as { dmarc: 'pass' }; the first of each method
 * counts. Only the stored block is read: a field inside the message is the sender's word.
 */
export function readVerdicts(headers: string): Readonly<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const field of readAuthenticationResults(headers)) {
    for (const name of verdictNames) {
      const found = new RegExp(`(?:^|[;\\s])${name}=([a-z]+)`, 'i').exec(field)?.[1];
      if (found !== undefined) verdicts[name] ??= found.toLowerCase();
    }
  }
  return verdicts;
}

/** Whether a mail came from outside and its sender's domain does not stand by it. */
export const isDoubtfulMail = (mail: Pick<Email, 'headers' | 'public' | 'sent'>): boolean =>
  mail.public && !mail.sent && doubtfulVerdicts.has(readVerdicts(mail.headers).dmarc ?? '');

/**
 * Whether a mail came from outside or out of a file: our server writes its verdict, or that it has none, to each such mail and
 * to nothing that was written here. Somebody who brings mail in cannot leave it out, whatever flags the mail gets.
 */
export const isFromElsewhere = ({ headers }: Pick<Email, 'headers'>): boolean =>
  readAuthenticationResults(headers).length > 0;
