// What this server found out about the sender of an external message, read from the stored header
// block: the verdicts of the checks, and whether they leave the sender in doubt. The reader and the
// calendar decide what is shown of it.
import type { Email } from '@keyfold/contract';
import { readAuthenticationResults } from '@keyfold/mail/mime/stored-headers';

/**
 * Results without a pass where the sender's domain may require one. The first two can be provoked
 * by an attacker.
 */
const doubtfulVerdicts = new Set(['permerror', 'temperror', 'fail']);

/** Checks whose verdicts are shown. */
export const verdictNames = ['spf', 'dkim', 'dmarc', 'arc'] as const;

/**
 * Returns the verdicts of this server's own Authentication-Results, such as { dmarc: 'pass' }; the
 * first result of each method counts. Reads only the stored block: a field inside the message is
 * the sender's claim.
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

/** Returns whether a message is external and was not authenticated by its sender's domain. */
export const isDoubtfulMail = (mail: Pick<Email, 'headers' | 'public' | 'sent'>): boolean =>
  mail.public && !mail.sent && doubtfulVerdicts.has(readVerdicts(mail.headers).dmarc ?? '');

/**
 * Returns whether a message came from outside or from an imported file. The server writes its
 * verdict, or that it has none, to every such message and to no message written here. An importer
 * cannot omit it, whatever flags the message gets.
 */
export const isFromElsewhere = ({ headers }: Pick<Email, 'headers'>): boolean =>
  readAuthenticationResults(headers).length > 0;
