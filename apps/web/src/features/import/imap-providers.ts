// Mail servers of well-known providers, by the domain of the address; for other domains the most
// common name.

export type ImapProvider = {
  /** Display name; empty for an unknown provider. */
  name: string;
  host: string;
  /** The provider rejects the account password over IMAP. */
  wantsAppPassword: boolean;
};

const known: readonly (readonly [ImapProvider, readonly string[]])[] = [
  [{ name: 'Gmail', host: 'imap.gmail.com', wantsAppPassword: true }, ['gmail.com', 'googlemail.com']],
  [
    { name: 'Outlook', host: 'outlook.office365.com', wantsAppPassword: false },
    [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'outlook.es',
      'hotmail.com',
      'hotmail.de',
      'hotmail.fr',
      'live.com',
      'msn.com',
    ],
  ],
  [
    { name: 'Yahoo', host: 'imap.mail.yahoo.com', wantsAppPassword: true },
    ['yahoo.com', 'yahoo.de', 'yahoo.fr', 'yahoo.es', 'yahoo.co.uk', 'ymail.com', 'rocketmail.com'],
  ],
  [{ name: 'AOL', host: 'imap.aol.com', wantsAppPassword: true }, ['aol.com', 'aim.com']],
  [{ name: 'iCloud', host: 'imap.mail.me.com', wantsAppPassword: true }, ['icloud.com', 'me.com', 'mac.com']],
  [{ name: 'Fastmail', host: 'imap.fastmail.com', wantsAppPassword: true }, ['fastmail.com', 'fastmail.fm']],
  [{ name: 'GMX', host: 'imap.gmx.net', wantsAppPassword: false }, ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch']],
  [{ name: 'GMX', host: 'imap.gmx.com', wantsAppPassword: false }, ['gmx.com', 'gmx.us', 'gmx.fr', 'gmx.es']],
  [{ name: 'WEB.DE', host: 'imap.web.de', wantsAppPassword: false }, ['web.de']],
  [{ name: 'mail.com', host: 'imap.mail.com', wantsAppPassword: false }, ['mail.com', 'email.com']],
  [
    { name: 'T-Online', host: 'secureimap.t-online.de', wantsAppPassword: true },
    ['t-online.de', 'magenta.de'],
  ],
  [{ name: 'Posteo', host: 'posteo.de', wantsAppPassword: false }, ['posteo.de', 'posteo.net', 'posteo.org']],
  [{ name: 'mailbox.org', host: 'imap.mailbox.org', wantsAppPassword: false }, ['mailbox.org']],
  [{ name: 'Orange', host: 'imap.orange.fr', wantsAppPassword: false }, ['orange.fr', 'wanadoo.fr']],
  [{ name: 'Free', host: 'imap.free.fr', wantsAppPassword: false }, ['free.fr']],
  [{ name: 'La Poste', host: 'imap.laposte.net', wantsAppPassword: false }, ['laposte.net']],
  [{ name: 'Zoho', host: 'imap.zoho.com', wantsAppPassword: true }, ['zoho.com', 'zohomail.com']],
];

const byDomain: ReadonlyMap<string, ImapProvider> = new Map(
  known.flatMap(([provider, domains]) => domains.map(domain => [domain, provider] as const)),
);

/** Returns the provider of an address; null while the address is incomplete. */
export function findProvider(address: string): ImapProvider | null {
  const domain = address
    .slice(address.lastIndexOf('@') + 1)
    .trim()
    .toLowerCase();
  if (!address.includes('@') || !/^[^\s.]+(?:\.[^\s.]+)+$/.test(domain)) return null;
  return byDomain.get(domain) ?? { name: '', host: `imap.${domain}`, wantsAppPassword: false };
}

/**
 * Returns whether a mail server accepts only its own sign-in page (OAuth) and therefore no
 * password, not even an app password: Microsoft's servers, since September 2024 for personal
 * addresses too.
 */
export const takesNoPassword = (host: string): boolean =>
  /(?:^|\.)(?:office365|outlook|hotmail)\.com$/i.test(host.trim());
