// Server and credentials of a mailbox at another provider, as typed.
import { readImapHost } from './imap-host.ts';

export type ImapLoginFields = {
  user: string;
  password: string;
  host: string;
  port: string;
  security: 'starttls' | 'tls';
  /** The user replaced the suggested host. */
  hasOwnHost: boolean;
};

export const emptyLogin: ImapLoginFields = {
  user: '',
  password: '',
  host: '',
  port: '993',
  security: 'tls',
  hasOwnHost: false,
};

/** The default port of each encryption. */
export const ports = { tls: '993', starttls: '143' } as const;

/**
 * Normalizes the sign-in fields: extracts the host of a pasted address, and its port with the
 * encryption that usually belongs to it.
 */
export function tidyLogin(login: ImapLoginFields): ImapLoginFields {
  const found = readImapHost(login.host);
  if (found === null) return login;
  const { host, port } = found;
  const security = (['tls', 'starttls'] as const).find(one => ports[one] === port) ?? login.security;
  return { ...login, host, port: port ?? login.port, security };
}
