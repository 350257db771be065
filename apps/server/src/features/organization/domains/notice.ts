/**
 * The mail that tells the owner of a domain that it is ready, or that it is not any more. Builds bytes; it seals and
 * stores nothing.
 */
import { composeMessage } from '@keyfold/mail/mime/compose';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';

export type DomainNotice = {
  readonly domain: string;
  readonly isReady: boolean;
  readonly to: string;
  readonly hostname: string;
  /** Where the domain's records are shown. */
  readonly link: string;
  readonly now: Date;
};

export function buildDomainNotice(notice: DomainNotice): Uint8Array {
  const { domain, isReady } = notice;
  const sentences = isReady
    ? ['All records of this domain were found. It receives and sends mail.']
    : [
        'Some records of this domain were not found at the last look, or are not as they should be.',
        'Mail goes on being taken in, but others may not find the way or may not trust what you send.',
      ];
  return composeMessage({
    from: { name: 'Keyfold', address: `domains@${notice.hostname}` },
    to: [{ name: '', address: notice.to }],
    subject: isReady ? `${domain} is ready` : `${domain} needs a look`,
    date: notice.now,
    messageId: createMessageId(notice.hostname),
    text: `${[...sentences, notice.link].join('\r\n')}\r\n`,
    extraHeaders: [['Auto-Submitted', 'auto-generated']],
  });
}
