/**
 * Message that informs the owner of a domain that it is ready, or no longer ready. Builds bytes
 * only; does not seal or store.
 */
import { composeMessage } from '@keyfold/mail/mime/compose';
import { createMessageId } from '@keyfold/mail/mime/stored-headers';

export type DomainNotice = {
  readonly domain: string;
  readonly isReady: boolean;
  readonly to: string;
  readonly hostname: string;
  /** Page that shows the domain's records. */
  readonly link: string;
  readonly now: Date;
};

export function buildDomainNotice(notice: DomainNotice): Uint8Array {
  const { domain, isReady } = notice;
  const sentences = isReady
    ? ['All DNS records of this domain are correct. It can send and receive mail.']
    : [
        'The last check found missing or incorrect DNS records of this domain.',
        'The domain still accepts mail, but other servers may not find it or may distrust mail that you send.',
      ];
  return composeMessage({
    from: { name: 'Keyfold', address: `domains@${notice.hostname}` },
    to: [{ name: '', address: notice.to }],
    subject: isReady ? `${domain} is ready` : `${domain} needs attention`,
    date: notice.now,
    messageId: createMessageId(notice.hostname),
    text: `${[...sentences, notice.link].join('\r\n')}\r\n`,
    extraHeaders: [['Auto-Submitted', 'auto-generated']],
  });
}
